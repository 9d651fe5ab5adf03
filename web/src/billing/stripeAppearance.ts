import type { Appearance } from '@stripe/stripe-js'

type Scheme = 'dark' | 'light'

/** Stripe's fields in the colours of the page, of which its frames see nothing by themselves. */
export function appearanceIn(scheme: Scheme): Appearance {
  const styles = getComputedStyle(document.documentElement)
  const of = (token: string) => styles.getPropertyValue(token).trim()
  return {
    theme: scheme === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: of('--accent-ink'),
      colorBackground: of('--surface'),
      colorText: of('--text'),
      colorTextSecondary: of('--text-2'),
      colorTextPlaceholder: of('--text-3'),
      colorDanger: of('--danger'),
      colorSuccess: of('--ok'),
      borderRadius: of('--r-md'),
      // Our own letters would have to be fetched across origins.
      fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
      // Smaller, and a phone zooms in.
      fontSizeBase: '16px',
      fontSizeSm: '14px',
    },
    rules: {
      '.Input': { border: `1px solid ${of('--line-strong')}`, boxShadow: 'none' },
      '.Input:focus': { borderColor: of('--accent-ink'), boxShadow: 'none' },
      '.Input--invalid': { borderColor: of('--danger'), boxShadow: 'none' },
      '.Label': { fontWeight: '560' },
    },
  }
}
