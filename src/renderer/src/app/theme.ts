import {
  createTheme,
  type ActionIconProps,
  type ButtonProps,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type NativeSelectProps,
  type NotificationProps,
  type TextareaProps,
  type TextInputProps,
  type TooltipProps,
} from '@mantine/core';
import { t } from '../i18n.ts';

const gray: MantineColorsTuple = [
  '#faf9f6',
  '#f4f2ed',
  '#e9e6df',
  '#dad6cd',
  '#bdb8ad',
  '#928c81',
  '#6b665d',
  '#514d46',
  '#38352f',
  '#221f1b',
];

const dark: MantineColorsTuple = [
  '#ece8e0',
  '#d3cec5',
  '#aaa59b',
  '#8b867c',
  '#4b473f',
  '#37342e',
  '#292622',
  '#1b1917',
  '#151311',
  '#0e0d0b',
];

/** Only approve buttons use this colour. */
const green: MantineColorsTuple = [
  '#ebf4ee',
  '#d3e6da',
  '#a8cfb7',
  '#79b591',
  '#4f9a6f',
  '#2f8056',
  '#236b46',
  '#1a5637',
  '#13432b',
  '#0b2f1e',
];

/** Only warnings use this colour. */
const amber: MantineColorsTuple = [
  '#fdf6e5',
  '#f9eac6',
  '#f1d58d',
  '#e6bd57',
  '#d6a32f',
  '#bb8716',
  '#996b0d',
  '#7a540a',
  '#5f4109',
  '#432e06',
];

/** Only irreversible actions use this colour. */
const red: MantineColorsTuple = [
  '#fcf0ed',
  '#f6d9d2',
  '#ecb3a7',
  '#e08b7a',
  '#d46551',
  '#c4452f',
  '#ab3521',
  '#8d2a1a',
  '#6f2014',
  '#51170e',
];

const quickTransition = { duration: 120 } as const;
/** This is a function, because the language can change while the window is open. */
const createCloseProps = () => ({ closeButtonProps: { 'aria-label': t('parts.close') } });
/** The page body never scrolls, so no scroll lock is needed. A scroll lock would also add style tags. */
const dialogDefaults = {
  lockScroll: false,
  transitionProps: { ...quickTransition, transition: 'fade' },
} as const;

/** Uses only the type of the props, so that the start does not load the component. */
const withDefaultProps = <P>(defaultProps: Partial<P> | (() => Partial<P>)) => ({ defaultProps });

export const theme = createTheme({
  colors: { gray, dark, green, amber, red },
  primaryColor: 'gray',
  primaryShade: { light: 7, dark: 5 },
  white: '#ffffff',
  black: '#221f1b',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  // Four sizes: labels and times, text, section headings, page titles and money.
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1.0625rem', xl: '1.5rem' },
  lineHeights: { xs: '1rem', sm: '1.25rem', md: '1.25rem', lg: '1.5rem', xl: '2rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  // Controls and thumbnails are 4 px, sheets 8 px.
  radius: { xs: '4px', sm: '4px', md: '4px', lg: '8px', xl: '8px' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontWeights: { regular: '400', medium: '600', bold: '600' },
  components: {
    Button: withDefaultProps<ButtonProps>({ variant: 'default', size: 'sm' }),
    ActionIcon: withDefaultProps<ActionIconProps>({ variant: 'subtle', color: 'gray', size: 'lg' }),
    Modal: withDefaultProps<ModalProps>(() => ({ ...dialogDefaults, ...createCloseProps() })),
    Notification: withDefaultProps<NotificationProps>(createCloseProps),
    Menu: withDefaultProps<MenuProps>({ transitionProps: quickTransition, shadow: 'md' }),
    Tooltip: withDefaultProps<TooltipProps>({ transitionProps: quickTransition, openDelay: 300 }),
    TextInput: withDefaultProps<TextInputProps>({ size: 'sm' }),
    Textarea: withDefaultProps<TextareaProps>({ size: 'sm' }),
    NativeSelect: withDefaultProps<NativeSelectProps>({ size: 'sm' }),
  },
});
