import type { Appearance } from '@stripe/stripe-js'

type Scheme = 'dark' | 'light'

/** Stripe's theme in the colours of the page, which its frames cannot read themselves. */
export function stripeAppearance(scheme: Scheme): Appearance {
  const styles = getComputedStyle(document.documentElement)
  const cssVariable = (token: string) => styles.getPropertyValue(token).trim()
  return {
    theme: scheme === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: cssVariable('--accent-ink'),
      colorBackground: cssVariable('--surface'),
      colorText: cssVariable('--text'),
      colorTextSecondary: cssVariable('--text-2'),
      colorTextPlaceholder: cssVariable('--text-3'),
      colorDanger: cssVariable('--danger'),
      colorSuccess: cssVariable('--ok'),
      borderRadius: cssVariable('--r-md'),
      // The app's own font would have to be fetched across origins.
      fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
      // On a smaller font size, phones zoom in on the field.
      fontSizeBase: '16px',
      fontSizeSm: '14px',
    },
    rules: {
      '.Input': { border: `1px solid ${cssVariable('--line-strong')}`, boxShadow: 'none' },
      '.Input:focus': { borderColor: cssVariable('--accent-ink'), boxShadow: 'none' },
      '.Input--invalid': { borderColor: cssVariable('--danger'), boxShadow: 'none' },
      '.Label': { fontWeight: '560' },
    },
  }
}
