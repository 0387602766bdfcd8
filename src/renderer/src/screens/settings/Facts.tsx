import styles from '../../components/settingLines.module.css';

/** Names and values, a hairline between them. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, string])[] }) => (
  <dl className={styles.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
