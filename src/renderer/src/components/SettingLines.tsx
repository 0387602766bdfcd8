import styles from './settingLines.module.css';
import { Switch } from '@mantine/core';

/** A list of names and values, separated by hairlines. */
export const FactLines = ({ facts }: { facts: readonly (readonly [string, string])[] }) => (
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

/** A switch whose change is saved at once. */
export const SwitchLine = ({ label, help, on, set }: Props) => (
  <Switch
    classNames={{ root: styles.switch, track: styles.track, thumb: styles.thumb }}
    withThumbIndicator={false}
    // The kit's label contains the description, which would become part of the accessible name.
    aria-label={label}
    label={label}
    description={help}
    checked={on}
    onChange={(event) => set(event.currentTarget.checked)}
  />
);

export const CheckLine = ({ label, on, set, fixed = false }: Pick<Props, 'label' | 'on'> & Choice) => (
  <label className={styles.check}>
    <input type="checkbox" checked={on} disabled={fixed} onChange={(event) => set?.(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);

/** `fixed`: the box is always checked and disabled. */
type Choice = { set?: Props['set']; fixed?: boolean };
