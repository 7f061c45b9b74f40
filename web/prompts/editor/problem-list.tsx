import { Text } from '@mantine/core'
import type { WirePromptNote } from '../../../src/http/shapes/prompts.ts'

interface ProblemListProps {
  /** Undefined until the text was checked. */
  notes: readonly WirePromptNote[] | undefined
  onGoToLine: (line: number) => void
}

/** The problems of the text. Each entry selects its line. */
export function ProblemList({ notes, onGoToLine }: ProblemListProps) {
  return (
    <section aria-labelledby="prompt-problems">
      <Text component="h2" size="sm" fw={650} id="prompt-problems" m={0}>
        Problems
      </Text>
      <Text size="sm" role="status" c="dimmed">
        {summarize(notes)}
      </Text>
      <ul className="plain-list">
        {notes?.map(({ severity, line, message }) => (
          <li key={`${line} ${message}`}>
            <button type="button" className="prompt-problem" onClick={() => onGoToLine(line ?? 1)}>
              <span className="prompt-problem-line">{line === null ? 'File' : `Line ${line}`}</span>
              <span className="break-anywhere">
                {severity === 'warning' && 'Tip: '}
                {message}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function summarize(notes: readonly WirePromptNote[] | undefined): string {
  if (notes === undefined) return 'Checking…'
  const errors = notes.filter(({ severity }) => severity === 'error').length
  if (errors > 0) return errors === 1 ? '1 problem to fix' : `${errors} problems to fix`
  return notes.length === 0 ? 'No problems' : 'No problems, but a tip'
}
