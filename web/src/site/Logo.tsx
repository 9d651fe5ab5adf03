export const Logo = () => (
  <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden>
    <rect width="32" height="32" rx="8" fill="#c8f135" />
    <g fill="#0c0d10">
      <rect x="7" y="12" width="3.4" height="8" rx="1.7" />
      <rect x="12.2" y="7" width="3.4" height="18" rx="1.7" />
      <rect x="17.4" y="10" width="3.4" height="12" rx="1.7" />
      <rect x="22.6" y="13.5" width="3.4" height="5" rx="1.7" />
    </g>
  </svg>
)
