import { Fragment } from 'react'
import type { TextRange } from './plain-document-text.ts'

const CONTEXT_CHARS = 140
const MAX_CHARS = 420

/** A search result with its matches highlighted. A long text is cut around the first match. */
export function HighlightedText({
  text,
  matches,
}: {
  text: string
  matches: readonly TextRange[]
}) {
  const first = matches[0]?.start ?? 0
  const from = first > CONTEXT_CHARS ? nextWordStart(text, first - CONTEXT_CHARS) : 0
  const to = Math.min(text.length, from + MAX_CHARS)
  const visible = matches.filter(({ start, end }) => start >= from && end <= to)
  return (
    <bdi>
      {from > 0 && '… '}
      {visible.map(({ start, end }, i) => (
        <Fragment key={start}>
          {text.slice(visible[i - 1]?.end ?? from, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(visible.at(-1)?.end ?? from, to)}
      {to < text.length && ' …'}
    </bdi>
  )
}

function nextWordStart(text: string, at: number): number {
  const blank = text.indexOf(' ', at)
  return blank < 0 || blank > at + 40 ? at : blank + 1
}
