import { usePool } from '../platform/pool.ts'

/** The pool's own logo, or the default one in the pool's colour. */
export function Logo() {
  const { logo } = usePool()
  if (logo)
    return (
      <img
        src={`${logo}/wide.png`}
        alt=""
        height="28"
        style={{ maxWidth: 'min(84px, 100%)', flex: 'none', objectFit: 'contain' }}
      />
    )
  return <MadeWith />
}

const MadeWith = () => (
  <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden>
    <rect width="32" height="32" rx="8" fill="var(--brand)" />
    <g fill="#0c0d10">
      <rect x="7" y="12" width="3.4" height="8" rx="1.7" />
      <rect x="12.2" y="7" width="3.4" height="18" rx="1.7" />
      <rect x="17.4" y="10" width="3.4" height="12" rx="1.7" />
      <rect x="22.6" y="13.5" width="3.4" height="5" rx="1.7" />
    </g>
  </svg>
)
