import '../search/search.css'
import { Text, Title } from '@mantine/core'
import { use } from 'react'
import type { WireAnswerCitation, WireAnswerPassage } from '../../src/http/shapes/ask.ts'
import { Time, TimeOfDay } from '../ui/format/time.tsx'
import { toPlainDocumentText } from '../search/plain-document-text.ts'
import { MeetingOfPageContext, SourceLink } from './source-link.tsx'
import { Name } from '../ui/format/name.tsx'

/** The lines that an answer cites, with the numbers of its chips. */
export function SourceList({ sources }: { sources: WireAnswerCitation[] }) {
  return (
    <section aria-label="Sources">
      <Title order={3} size="h5" mb={6}>
        Sources
      </Title>
      <ol className="plain-list source-list">
        {sources.map((source, i) => (
          <li key={source.number} className="source">
            <span className="source-number figures">{i + 1}</span>
            <SourceLink source={source} className="hit">
              <SourceHeader source={source} />
              <SourceText source={source} />
            </SourceLink>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Passages with the lines around them, for a question that no model has answered. */
export function PassageList({ passages }: { passages: WireAnswerPassage[] }) {
  if (passages.length === 0) return null
  return (
    <section aria-label="Passages">
      <ol className="plain-list source-list">
        {passages.map((passage) => (
          <li key={passage.number}>
            <SourceLink source={passage} className="hit">
              <SourceHeader source={passage} />
              <ContextLines lines={passage.before} />
              <SourceText source={passage} isMatch />
              <ContextLines lines={passage.after} />
            </SourceLink>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The cited words, or a short piece of a document without Markdown syntax. */
function SourceText({
  source,
  isMatch = false,
}: {
  source: WireAnswerCitation
  isMatch?: boolean
}) {
  if (source.kind !== 'segment')
    return (
      <span className="source-text document-passage" dir="auto">
        {toPlainDocumentText(source.text).text}
      </span>
    )
  return (
    <span className={isMatch ? 'source-text source-match' : 'source-text'} dir="auto">
      {source.text}
    </span>
  )
}

function SourceHeader({ source }: { source: WireAnswerCitation }) {
  const { speaker, title, project, timestamp, meetingId } = source
  const isOfPage = meetingId !== null && meetingId === use(MeetingOfPageContext)
  return (
    <span className="hit-where source-header">
      {speaker !== null && (
        <>
          <bdi className="source-speaker">{speaker === '' ? 'Unknown speaker' : speaker}</bdi>{' '}
          ·{' '}
        </>
      )}
      {isOfPage ? (
        <TimeOfDay at={timestamp} />
      ) : (
        <>
          <Name>{title}</Name> · project {project} · <Time at={timestamp} show="minute" />
        </>
      )}
    </span>
  )
}

/** Lines around a passage, for context. */
function ContextLines({ lines }: { lines: WireAnswerCitation[] }) {
  return lines.map(({ number, kind, speaker, text }) => (
    <Text
      key={number}
      span
      c="dimmed"
      className={kind === 'segment' ? 'source-text' : 'source-text document-passage'}
      dir="auto"
    >
      {speaker !== null && speaker !== '' && <bdi>{speaker}: </bdi>}
      {kind === 'segment' ? text : toPlainDocumentText(text).text}
    </Text>
  ))
}
