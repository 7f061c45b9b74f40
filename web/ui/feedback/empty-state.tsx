import './empty-state.css'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  drawing: DrawingName
  title: string
  /** One sentence: what appears here, or what to try. */
  children?: ReactNode
  /** A button or link to the next step. */
  action?: ReactNode
}

/** Replaces an empty list. */
export function EmptyState({ drawing, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <svg aria-hidden className="drawing" width="132" height="88" viewBox="0 0 132 88">
        {DRAWINGS[drawing]}
      </svg>
      <p className="empty-state-title break-anywhere">{title}</p>
      {children && <p className="empty-state-text">{children}</p>}
      {action && <div className="empty-state-action">{action}</div>}
    </div>
  )
}

/** The drawings of empty lists, each 132 by 88. The styles are in empty-state.css. */
const DRAWINGS = {
  /** Two people talk. */
  talk: (
    <>
      <circle className="patch" cx="66" cy="44" r="38" />
      <path d="M22 20h52a7 7 0 0 1 7 7v20a7 7 0 0 1-7 7H42L30 64V54h-8a7 7 0 0 1-7-7V27a7 7 0 0 1 7-7z" />
      <path className="thin" d="M28 31h38M28 41h24" />
      <path d="M72 38h38a7 7 0 0 1 7 7v16a7 7 0 0 1-7 7h-6v10L93 68H72a7 7 0 0 1-7-7V45a7 7 0 0 1 7-7z" />
      <path className="accent" d="M78 53v0M86 47v12M94 50v6M102 53v0" />
    </>
  ),
  /** A page of a calendar. */
  calendar: (
    <>
      <circle className="patch" cx="66" cy="44" r="38" />
      <rect x="33" y="18" width="66" height="56" rx="7" />
      <path
        className="thin"
        d="M33 34h66M50 12v11M82 12v11M46 46h6M63 46h6M80 46h6M46 60h6M80 60h6"
      />
      <circle className="accent" cx="66" cy="60" r="7" />
    </>
  ),
  /** A list with everything ticked. */
  checklist: (
    <>
      <circle className="patch" cx="66" cy="44" r="38" />
      <rect x="38" y="12" width="56" height="66" rx="7" />
      <path className="thin" d="M62 29h20M62 45h20M62 61h12" />
      <path className="accent" d="m47 29 3 3 5-6M47 45l3 3 5-6M47 61l3 3 5-6" />
    </>
  ),
  /** A folder with a page in it. */
  folder: (
    <>
      <circle className="patch" cx="66" cy="44" r="38" />
      <path d="M28 26a5 5 0 0 1 5-5h20l8 9h36a5 5 0 0 1 5 5v8H28z" />
      <rect x="46" y="28" width="40" height="34" rx="4" />
      <path className="accent" d="M54 38h24M54 45h14" />
      <path d="M24 50h84l-6 22a5 5 0 0 1-5 4H35a5 5 0 0 1-5-4z" />
    </>
  ),
  /** A page and a clock. */
  clock: (
    <>
      <circle className="patch" cx="66" cy="44" r="38" />
      <rect x="36" y="14" width="48" height="60" rx="7" />
      <path className="thin" d="M46 28h28M46 38h20M46 48h12" />
      <circle cx="86" cy="58" r="18" />
      <path className="accent" d="M86 47v11l7 5" />
    </>
  ),
  /** A paper plane. */
  plane: (
    <>
      <circle className="patch" cx="66" cy="44" r="38" />
      <path d="M108 18 34 46l24 10 10 22z" />
      <path className="thin" d="M58 56 108 18 68 78l-10-22z" />
      <path className="accent" d="M22 62h14M16 72h26M30 52h4" />
    </>
  ),
  /** A magnifier over lines of text. */
  search: (
    <>
      <circle className="patch" cx="66" cy="44" r="38" />
      <rect x="30" y="16" width="54" height="58" rx="7" />
      <path className="thin" d="M40 30h34M40 40h18M40 50h14M40 60h20" />
      <circle cx="80" cy="48" r="17" />
      <path className="accent" d="m92 60 13 13M72 48h16" />
    </>
  ),
} satisfies Record<string, ReactNode>

type DrawingName = keyof typeof DRAWINGS
