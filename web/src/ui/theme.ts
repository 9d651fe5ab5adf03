import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core'
import { close } from './texts.ts'

const lime: MantineColorsTuple = [
  '#f8ffdf',
  '#f0fdbd',
  '#e4f98b',
  '#d8f55e',
  // The accent of a scheme's filled components and focused fields: the pool's own if it has one.
  'var(--accent-ink)',
  'var(--accent-ink)',
  '#94b617',
  'var(--accent-ink)',
  'var(--accent-ink)',
  '#303d03',
]

const dark: MantineColorsTuple = [
  '#eef0f3',
  '#a7aeb9',
  '#858d99',
  '#5b626e',
  '#3a404b',
  '#2b3039',
  '#191c22',
  '#121419',
  '#0c0d10',
  '#08090b',
]

/** Mantine's components with the design tokens of styles/tokens.css. */
export const theme = createTheme({
  primaryColor: 'lime',
  primaryShade: { dark: 4, light: 7 },
  colors: { lime, dark },
  // Mantine's autoContrast only considers the shade of the light scheme; the filled primary colour follows the tokens
  // in both.
  variantColorResolver: (input) =>
    input.variant === 'filled' && (!input.color || input.color === input.theme.primaryColor)
      ? {
          background: 'var(--accent)',
          hover: 'var(--accent-hover)',
          color: 'var(--on-accent)',
          border: '1px solid transparent',
        }
      : defaultVariantColorsResolver(input),
  components: {
    // Without a variant, Button would not use the resolver above.
    Button: { defaultProps: { size: 'sm', variant: 'filled' }, styles: { root: { fontWeight: 580 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
    Card: {
      defaultProps: { withBorder: true, radius: 'lg', padding: 'lg' },
      styles: { root: { background: 'var(--surface)', borderColor: 'var(--line)' } },
    },
    SegmentedControl: {
      styles: { root: { background: 'var(--surface-2)' }, indicator: { background: 'var(--indicator)' } },
    },
    Input: { styles: { input: { fontSize: 'var(--fs-14)' } } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
      styles: { label: { fontSize: 'var(--fs-14)', marginBottom: 4 } },
    },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': close }, padding: 'lg' } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': close } } },
  },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '999px' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '640',
    sizes: {
      h1: { fontSize: '24px', fontWeight: '690', lineHeight: '1.2' },
      h2: { fontSize: '15px', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
})
