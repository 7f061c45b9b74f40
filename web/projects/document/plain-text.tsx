import { Text } from '@mantine/core'
import { useEffect, useRef } from 'react'

/** More than that no browser scrolls with pleasure. */
const MAX_SHOWN_CHARS = 256 * 1024

/** A file letter by letter. The line that somebody came for is marked and scrolled to. */
export function PlainText({ text, target }: { text: string; target: number | null }) {
  const mark = useRef<HTMLElement>(null)
  const shown = text.length > MAX_SHOWN_CHARS ? text.slice(0, MAX_SHOWN_CHARS) : text
  const { before, line, after } = splitAtLine(shown, target)
  useEffect(() => {
    if (target !== null) mark.current?.scrollIntoView({ block: 'center' })
  }, [target])
  return (
    <>
      {shown.length < text.length && (
        <Text size="sm">
          Only the beginning is shown here: the file is large. The download has all of it.
        </Text>
      )}
      <pre className="plain-text" dir="auto" tabIndex={0} aria-label="Text of the file">
        {before}
        {line !== '' && (
          <mark ref={mark} className="target-line">
            {line}
          </mark>
        )}
        {after}
      </pre>
    </>
  )
}

function splitAtLine(text: string, target: number | null) {
  if (target === null) return { before: text, line: '', after: '' }
  const lines = text.split('\n')
  const at = Math.min(Math.max(1, target), lines.length) - 1
  const before = lines.slice(0, at).join('\n')
  return {
    before: at === 0 ? '' : `${before}\n`,
    line: lines[at] ?? '',
    after: at === lines.length - 1 ? '' : `\n${lines.slice(at + 1).join('\n')}`,
  }
}
