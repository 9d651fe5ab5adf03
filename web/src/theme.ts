import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core'
import { close } from './ui/texts.ts'

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
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': close } } },
  },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
})
