import { Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ApiSearchResult } from '../../src/http/shapes/projects.ts'
import { lineElementId } from '../meetings/meeting/transcript/line-elements.ts'
import { TitleLink } from '../ui/links.tsx'
import { TimeOfDay, Time } from '../ui/format/time.tsx'
import { HighlightedText } from './highlighted-text.tsx'
import { toPlainDocumentText } from './plain-document-text.ts'
import type { SearchResultGroup } from './queries.ts'
import { Name } from '../ui/format/name.tsx'

export function SearchResults({ groups }: { groups: SearchResultGroup[] }) {
  return (
    <Stack component="ol" className="plain-list" gap="xl" aria-label="Search results">
      {groups.map(({ key, bestResult, hits }) => (
        <li key={key}>
          <GroupHeader first={bestResult} />
          <ol className="plain-list hits">
            {hits.map((hit) => (
              <li key={`${hit.segmentNumber} ${hit.line} ${hit.text.length}`}>
                {hit.kind === 'segment' ? <SegmentHit hit={hit} /> : <DocumentHit hit={hit} />}
              </li>
            ))}
          </ol>
        </li>
      ))}
    </Stack>
  )
}

function GroupHeader({ first }: { first: ApiSearchResult }) {
  const { kind, title, meetingId, project, path, timestamp } = first
  return (
    <Group gap="xs" align="baseline">
      <Title order={2} size="h4" className="break-anywhere">
        {kind === 'segment' ? (
          <TitleLink to="/meetings/$meetingId" params={{ meetingId: meetingId ?? '' }}>
            <Name>{title}</Name>
          </TitleLink>
        ) : (
          <TitleLink
            to="/projects/$projectId/$"
            params={{ projectId: project, _splat: path ?? '' }}
          >
            <Name>{title}</Name>
          </TitleLink>
        )}
      </Title>
      <Text span size="sm" c="dimmed" className="break-anywhere">
        {kind === 'segment' ? 'Meeting' : <Name>{path ?? ''}</Name>} · project {project} ·{' '}
        <Time at={timestamp} show="day" />
      </Text>
    </Group>
  )
}

function SegmentHit({ hit }: { hit: ApiSearchResult }) {
  const { meetingId, segmentNumber, speaker, timestamp, text, matches } = hit
  return (
    <Link
      to="/meetings/$meetingId"
      params={{ meetingId: meetingId ?? '' }}
      hash={lineElementId(segmentNumber ?? 1)}
      className="hit"
    >
      <span className="hit-head">
        <bdi>{speaker === null || speaker === '' ? 'Unknown speaker' : speaker}</bdi>{' '}
        <span className="hit-where">
          <TimeOfDay at={timestamp} />
        </span>
      </span>
      <HighlightedText text={text} matches={matches} />
    </Link>
  )
}

function DocumentHit({ hit: { project, path, line, text, matches } }: { hit: ApiSearchResult }) {
  const plain = toPlainDocumentText(text, matches)
  return (
    <Link
      to="/projects/$projectId/$"
      params={{ projectId: project, _splat: path ?? '' }}
      hash={`L${line ?? 1}`}
      className="hit"
    >
      <span className="document-passage">
        <HighlightedText text={plain.text} matches={plain.matches} />
      </span>
    </Link>
  )
}
