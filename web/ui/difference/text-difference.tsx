import './difference.css'
import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { compareLines, skipEqualLines, type ComparedLine } from './compare-lines.ts'

interface TextDifferenceProps {
  before: string
  after: string
  /** The name of lines that are only in `before`, such as "Saved version". */
  beforeLabel: string
  afterLabel: string
}

const MAX_SHOWN_LINES = 1_000

/** The lines where two texts differ, with a few equal ones around them. */
export function TextDifference({ before, after, beforeLabel, afterLabel }: TextDifferenceProps) {
  const rows = useMemo(() => skipEqualLines(compareLines(before, after)), [before, after])
  if (rows.every(({ kind }) => kind === 'skipped'))
    return <Text size="sm">Both texts are the same.</Text>
  const hidden = Math.max(0, rows.length - MAX_SHOWN_LINES)
  return (
    <>
      <Text size="sm" component="div">
        <span className="difference-key difference-removed">− {beforeLabel}</span>{' '}
        <span className="difference-key difference-added">+ {afterLabel}</span>
      </Text>
      <div className="source-box difference" role="region" aria-label="Differences" tabIndex={0}>
        {rows.slice(0, MAX_SHOWN_LINES).map((row, i) =>
          row.kind === 'skipped' ? (
            // Lines have no id, so their position identifies them.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={i} className="difference-skipped">
              {row.count === 1 ? '1 equal line' : `${row.count.toLocaleString('en')} equal lines`}
            </div>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key
            <DifferenceLine key={i} line={row} />
          ),
        )}
        {hidden > 0 && (
          <div className="difference-skipped">
            {hidden.toLocaleString('en')} more lines are not shown
          </div>
        )}
      </div>
    </>
  )
}

function DifferenceLine({ line: { kind, text } }: { line: ComparedLine }) {
  if (kind === 'removed') return <del className="difference-removed">− {text}</del>
  if (kind === 'added') return <ins className="difference-added">+ {text}</ins>
  return <div className="difference-same">{text === '' ? '\u00a0' : `  ${text}`}</div>
}
