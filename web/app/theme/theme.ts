import {
  Button,
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core'

/** The accent, a deep green, for links, the current page, focus rings, check boxes and charts. */
const moss: MantineColorsTuple = [
  '#eef6f1',
  '#dcece2',
  '#b9d8c6',
  '#92c2a6',
  '#6dab88',
  '#50966f',
  '#3b805a',
  '#2b6a48',
  '#1f5a3b',
  '#15452d',
]

/** Slightly warm greys, like paper. */
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ee',
  '#ebe8e3',
  '#e5e1db',
  '#dbd6ce',
  '#b3ada3',
  '#8c867c',
  '#5f5a52',
  '#3d3934',
  '#23201d',
]

/** From text (0) to the page (7). Shade 8 is for boxes on the page, so it is lighter than 7. */
const dark: MantineColorsTuple = [
  '#ece9e4',
  '#cbc6be',
  '#b0aaa1',
  '#7d776e',
  '#34302c',
  '#2b2824',
  '#211f1c',
  '#141312',
  '#1b1917',
  '#0d0c0b',
]

/** Errors and deletions. Darker and browner than the red of live meetings, which is in tokens.css. */
const red: MantineColorsTuple = [
  '#fbf0ee',
  '#f6dfdb',
  '#ecbfb8',
  '#e39f94',
  '#ee9b8f',
  '#cf6557',
  '#bf4c3d',
  '#b03c2e',
  '#a33226',
  '#96281d',
]

const FONT =
  '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'

/** Sizes and colours of Mantine's components. Styles that CSS alone can express are in components.css. */
export const theme = createTheme({
  colors: { moss, gray, dark, red },
  primaryColor: 'moss',
  // White text on these shades has a contrast of at least 4.5:1.
  primaryShade: { light: 8, dark: 6 },
  black: '#23201d',
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: FONT,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  headings: {
    fontFamily: FONT,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h4: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  components: {
    // Links are underlined, because colour alone does not distinguish a link from the surrounding text.
    Anchor: { defaultProps: { underline: 'always' } },
    // A page's main button has the text colour, so that the accent stays quiet.
    Button: Button.extend({
      vars: (_theme, { variant = 'filled', color }) => ({
        root:
          variant === 'filled' && color === undefined
            ? {
                '--button-bg': 'var(--button-ink)',
                '--button-hover': 'var(--button-ink-hover)',
                '--button-color': 'var(--button-ink-text)',
              }
            : {},
      }),
    }),
    // Below the field, so that adjacent fields align.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
    Card: { defaultProps: { radius: 'lg' } },
    Modal: { defaultProps: { radius: 'lg', overlayProps: { backgroundOpacity: 0.4, blur: 2 } } },
    Menu: {
      defaultProps: {
        radius: 'md',
        shadow: 'md',
        // Inside the main part, because screen readers list everything outside of the page's parts as lost content.
        portalProps: { target: '#main' },
        // The placeholder is a focusable element without a role, which is not allowed in a menu.
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { radius: 'lg', shadow: 'md' } },
  },
})

/** Secondary text colours with a contrast of at least 4.5:1, which Mantine's default colours do not reach. */
export const readableColourVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fbfaf8',
    '--mantine-color-dimmed': '#635d55',
    '--mantine-color-placeholder': '#746e65',
    '--mantine-color-error': colors.red[9],
    '--mantine-color-anchor': moss[8],
    '--mantine-color-default-border': gray[4],
    '--mantine-color-default-hover': gray[1],
  },
  dark: {
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': '#9b958b',
    '--mantine-color-error': colors.red[4],
    '--mantine-color-anchor': moss[3],
    '--mantine-color-default': dark[6],
    '--mantine-color-default-border': '#3a3631',
    '--mantine-color-default-hover': dark[5],
  },
})
