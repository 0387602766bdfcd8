import styles from './settingLines.module.css';
import { Switch } from '@mantine/core';

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

type Props = { label: string; help?: string; on: boolean; set: (on: boolean) => void };

/** One thing that is on or off, kept as soon as it is switched. */
export const SwitchLine = ({ label, help, on, set }: Props) => (
  <Switch
    classNames={{ root: styles.switch, track: styles.track, thumb: styles.thumb }}
    withThumbIndicator={false}
    // The kit's label holds the description too, which would become part of the name.
    aria-label={label}
    label={label}
    description={help}
    checked={on}
    onChange={(event) => set(event.currentTarget.checked)}
  />
);

/** One of several that can be chosen together. */
export const CheckLine = ({ label, on, set, fixed = false }: Pick<Props, 'label' | 'on'> & Choice) => (
  <label className={styles.check}>
    <input type="checkbox" checked={on} disabled={fixed} onChange={(event) => set?.(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);

/** `fixed`: it belongs to the choice and cannot be taken out. */
type Choice = { set?: Props['set']; fixed?: boolean };
