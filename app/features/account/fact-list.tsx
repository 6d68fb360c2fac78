/** A heading and what it stands for, point by point. */
export function FactList({ title, facts }: { title: string; facts: readonly string[] }) {
  return (
    <section>
      <h2 className="mb-3 text-h3">{title}</h2>
      <ul className="grid list-disc gap-2 pl-5">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </section>
  );
}
