import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core'

const lime: MantineColorsTuple = [
  '#f8ffdf',
  '#f0fdbd',
  '#e4f98b',
  '#d8f55e',
  // What a scheme's filled parts and fields in focus are painted with: the pool's own where it has one.
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

/** Mantine's parts dressed in our tokens (styles/tokens.css). */
export const theme = createTheme({
  primaryColor: 'lime',
  primaryShade: { dark: 4, light: 7 },
  colors: { lime, dark },
  // Mantine's autoContrast looks only at the light scheme's shade; the filled primary follows our tokens in both.
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
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
})
