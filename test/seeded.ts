/** Uniform random numbers from 0 to 1, reproducible by their seed (a linear congruential generator). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The first of the seeds; all of them with LONGER=1, as in `npm run test:all` and before a release. */
export const chooseSeeds = (...seeds: number[]): number[] => (process.env.LONGER ? seeds : seeds.slice(0, 1));
