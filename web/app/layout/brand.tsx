/** The logo: three bars of a voice, which also form the letter H. Same drawing as favicon.svg. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 32 32" className="mark">
      <rect className="mark-tile" width="32" height="32" rx="9" />
      <rect className="mark-bar" x="8" y="7" width="4" height="18" rx="2" />
      <rect className="mark-bar" x="20" y="7" width="4" height="18" rx="2" />
      <rect className="mark-voice" x="14" y="13" width="4" height="6" rx="2" />
    </svg>
  )
}

export function BrandLogoAndName() {
  return (
    <span className="brand">
      <Mark />
      Hansard
    </span>
  )
}
