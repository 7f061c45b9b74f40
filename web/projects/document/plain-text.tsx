import { Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { MAX_RENDERED_CHARS } from '../../ui/markdown/limits.ts'

/** A file as plain text. The linked line is highlighted and scrolled into view. */
export function PlainText({ text, targetLine }: { text: string; targetLine: number | null }) {
  const mark = useRef<HTMLElement>(null)
  // Shows only the first `MAX_RENDERED_CHARS` characters, because browsers scroll a longer text badly.
  const shown = text.length > MAX_RENDERED_CHARS ? text.slice(0, MAX_RENDERED_CHARS) : text
  const { before, line, after } = splitAtLine(shown, targetLine)
  useEffect(() => {
    if (targetLine !== null) mark.current?.scrollIntoView({ block: 'center' })
  }, [targetLine])
  return (
    <>
      {shown.length < text.length && (
        <Text size="sm">
          This file is large, so only the beginning is shown. Download it to see all of it.
        </Text>
      )}
      <pre className="source-box plain-text" dir="auto" tabIndex={0} aria-label="File content">
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

function splitAtLine(text: string, targetLine: number | null) {
  if (targetLine === null) return { before: text, line: '', after: '' }
  const lines = text.split('\n')
  const at = Math.min(Math.max(1, targetLine), lines.length) - 1
  const before = lines.slice(0, at).join('\n')
  return {
    before: at === 0 ? '' : `${before}\n`,
    line: lines[at] ?? '',
    after: at === lines.length - 1 ? '' : `\n${lines.slice(at + 1).join('\n')}`,
  }
}
