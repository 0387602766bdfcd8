import styles from './settingLines.module.css';
import { Switch } from '@mantine/core';

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

export const SwitchLine = ({ label, help, on, set }: Props) => (
  <Switch
    classNames={{ root: styles.switch, track: styles.track, thumb: styles.thumb }}
    withThumbIndicator={false}
    // Mantine's label contains the description, which must not be part of the accessible name.
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

type Choice = { set?: Props['set']; fixed?: boolean };
