import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const moss: MantineColorsTuple = [
  '#eef7f3',
  '#dcebe5',
  '#b6d7ca',
  '#8dc2ad',
  '#6bb095',
  '#549f83',
  '#3f8c71',
  '#2c785d',
  '#1b6650',
  '#0e523f',
]

/** The primary colour is shade 8 of `moss`: white text on it has a contrast of at least 4.5:1 in both themes. */
export const theme = createTheme({
  colors: { moss },
  primaryColor: 'moss',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  components: {
    // Links are underlined, because colour alone does not distinguish a link from the text around it.
    Anchor: { defaultProps: { underline: 'always' } },
    InputWrapper: { styles: { description: { fontSize: '0.8125rem', lineHeight: 1.4 } } },
    NavLink: { styles: { root: { borderRadius: 'var(--mantine-radius-md)' } } },
  },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.75rem', lineHeight: '1.25' }, h2: { fontSize: '1.2rem' } },
  },
})

/** Secondary text colours with a contrast of at least 4.5:1, which Mantine's default colours do not reach. */
export const readableColourVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#52595f',
    '--mantine-color-placeholder': '#687077',
    '--mantine-color-error': colors.red[9],
    '--mantine-color-anchor': colors.moss?.[8] ?? '',
  },
  dark: {
    '--mantine-color-dimmed': '#b4b8bb',
    '--mantine-color-placeholder': '#9ea3a6',
    '--mantine-color-error': colors.red[4],
    '--mantine-color-anchor': colors.moss?.[3] ?? '',
  },
})
