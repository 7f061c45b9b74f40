import './empty-state.css'
import type { ReactNode } from 'react'
import { DRAWINGS, type DrawingName } from './empty-state-drawings.tsx'

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
