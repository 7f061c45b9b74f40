import { getRouteApi, Link } from '@tanstack/react-router'
import { Stack, TextInput, Text, Group, Title } from '@mantine/core'
import './search.css'
import type { ApiSearchResponse, ApiSearchResult } from '../../src/http/shapes/projects.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { type SearchFilter, parseSearchFilter, searchFilterToApiParams } from './search-filter.ts'
import { TextLink, TitleLink, Name, meetingPage, projectPage } from '../ui/links.tsx'
import { EmptyState, QueryView } from '../ui/feedback/feedback.tsx'
import { PageTitle, FilterRow } from '../ui/layout.tsx'
import { useDebouncedUrlField } from '../ui/forms.tsx'
import { LoadMoreButton } from '../ui/tables/data-table.tsx'
import { type ResultKind } from '../../src/http/shapes/values.ts'
import { ProjectFilterField } from '../projects/project-filter-field.tsx'
import { lineElementId } from '../meetings/meeting/transcript/line-elements.ts'
import { TimeOfDay, Time } from '../ui/format/time.tsx'
import { HighlightedText } from './highlighted-text.tsx'
import { toPlainDocumentText } from './plain-document-text.ts'
import { useApiPages } from '../api/use-api.tsx'
import { FilterSelect, toOptions } from '../ui/fields.tsx'

const route = getRouteApi('/signed-in/search')

export function SearchPage() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const set = (change: SearchFilter) =>
    void navigate({ search: (current) => ({ ...current, ...change }), replace: true })
  const [text, setText] = useDebouncedUrlField(filter.q ?? '', (typed) =>
    set({ q: typed || undefined }),
  )
  return (
    <Stack gap="lg" maw={900}>
      <PageTitle>Search</PageTitle>
      <Stack gap="sm" role="search">
        <TextInput
          label="Search transcripts and documents"
          type="search"
          size="md"
          autoFocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <SearchFilterFields filter={filter} onChangedFields={set} />
      </Stack>
      {filter.q === undefined ? <Examples /> : <SearchResultList filter={filter} q={filter.q} />}
    </Stack>
  )
}

function SearchResultList({ filter, q }: { filter: SearchFilter; q: string }) {
  const query = useSearchResults(filter)
  return (
    <>
      <Text role="status" size="sm" c="dimmed">
        {query.isFetching ? 'Searching…' : query.data && describeCount(query.data.pages)}
      </Text>
      <QueryView query={query} label="the results">
        {({ pages }) => {
          const results = pages.flatMap((page) => page.results)
          return (
            <>
              <Corrections filter={filter} q={q} corrections={pages[0]?.corrections ?? []} />
              {pages[0]?.matched === 'any' && (
                <Text>No result has all of these words. Showing results with some of them.</Text>
              )}
              {results.length > 0 ? (
                <SearchResults groups={groupAndSortSearchResults(results)} />
              ) : (
                !query.isFetching && <NoResults filter={filter} q={q} />
              )}
            </>
          )
        }}
      </QueryView>
      <LoadMoreButton query={query}>Load more</LoadMoreButton>
    </>
  )
}

function describeCount(pages: readonly ApiSearchResponse[]): string {
  const count = pages.reduce((sum, { results }) => sum + results.length, 0)
  if (count === 0) return ''
  return `${formatCountWithNoun(count, 'result')}${pages.at(-1)?.nextCursor === null ? '' : ' so far'}`
}

interface CorrectionsProps {
  filter: SearchFilter
  q: string
  corrections: ApiSearchResponse['corrections']
}

/** Says which words had no results and which similar words were searched instead. */
function Corrections({ filter, q, corrections }: CorrectionsProps) {
  return corrections.map(({ word, meant }) => (
    <Text key={word} className="break-anywhere">
      No results for “{word}”. Showing results for:{' '}
      {meant.map((other, i) => (
        <span key={other}>
          {i > 0 && ', '}
          <TextLink to="/search" search={{ ...filter, q: replaceWord(q, word, other) }}>
            {other}
          </TextLink>
        </span>
      ))}
    </Text>
  ))
}

/** Replaces `word` in the query with `other`. If the query spells `word` differently, `other` is the whole query. */
function replaceWord(q: string, word: string, other: string): string {
  const at = q.toLowerCase().indexOf(word)
  return at < 0 ? other : q.slice(0, at) + other + q.slice(at + word.length)
}

function NoResults({ filter, q }: { filter: SearchFilter; q: string }) {
  const { q: _, ...filters } = filter
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <EmptyState
      drawing="search"
      title={`No results for “${q}”${isFiltered ? ' with these filters' : ''}`}
      action={
        isFiltered && (
          <TextLink to="/search" search={{ q }}>
            Search without filters
          </TextLink>
        )
      }
    >
      Try other words, or only the beginning of a word.
    </EmptyState>
  )
}

const EXAMPLES: ReadonlyArray<{ search: SearchFilter; shown: string; about: string }> = [
  { search: { q: 'budget' }, shown: 'budget', about: 'a word; case and accents do not matter' },
  {
    search: { q: 'migra' },
    shown: 'migra',
    about: 'the beginning of a word, three letters or more',
  },
  { search: { q: '"by Friday"' }, shown: '"by Friday"', about: 'an exact phrase' },
  {
    search: { q: 'release', kind: 'segment' },
    shown: 'release, in transcripts',
    about: 'only in transcripts, including live meetings',
  },
]

function Examples() {
  return (
    <Stack gap="xs" component="section" aria-label="Examples">
      <Text>Search all transcripts and documents in all projects. Examples:</Text>
      <ul className="plain-list examples">
        {EXAMPLES.map(({ search, shown, about }) => (
          <li key={shown}>
            <TextLink to="/search" search={search}>
              {shown}
            </TextLink>
            <Text span size="sm" c="dimmed">
              {' '}
              · {about}
            </Text>
          </li>
        ))}
      </ul>
    </Stack>
  )
}

interface SearchFilterFieldsProps {
  filter: SearchFilter
  onChangedFields: (change: SearchFilter) => void
}

const KIND_LABELS: Record<ResultKind, string> = {
  segment: 'Transcripts',
  document: 'Documents',
}

/** The filters are stored in the URL, so that search results can be shared as a link. */
function SearchFilterFields({ filter, onChangedFields }: SearchFilterFieldsProps) {
  const [speaker, setSpeaker] = useDebouncedUrlField(filter.speaker ?? '', (text) =>
    onChangedFields({ speaker: text || undefined }),
  )
  const { q: _words, ...fields } = filter
  return (
    <FilterRow filter={fields}>
      <FilterSelect
        label="Search in"
        all="Everything"
        value={filter.kind}
        options={toOptions(KIND_LABELS)}
        onChange={(kind) => onChangedFields({ kind: parseSearchFilter({ kind }).kind })}
      />
      <ProjectFilterField
        project={filter.project}
        onChange={(project) => onChangedFields({ project })}
      />
      <TextInput
        label="Speaker"
        value={speaker}
        onChange={(event) => setSpeaker(event.currentTarget.value)}
      />
      <div className="filter-pair">
        <TextInput
          type="date"
          label="From"
          value={filter.from ?? ''}
          onChange={(event) => onChangedFields({ from: event.currentTarget.value || undefined })}
        />
        <TextInput
          type="date"
          label="To"
          value={filter.to ?? ''}
          onChange={(event) => onChangedFields({ to: event.currentTarget.value || undefined })}
        />
      </div>
    </FilterRow>
  )
}

function SearchResults({ groups }: { groups: SearchResultGroup[] }) {
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
          <TitleLink {...meetingPage(meetingId ?? '')}>
            <Name>{title}</Name>
          </TitleLink>
        ) : (
          <TitleLink {...projectPage(project, path ?? '')}>
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
      {...meetingPage(meetingId ?? '')}
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
    <Link {...projectPage(project, path ?? '')} hash={`L${line ?? 1}`} className="hit">
      <span className="document-passage">
        <HighlightedText text={plain.text} matches={plain.matches} />
      </span>
    </Link>
  )
}

const LIMIT = 50

function useSearchResults(filter: SearchFilter) {
  return useApiPages(
    ['search', filter],
    (api, cursor) =>
      api.search.find({
        ...searchFilterToApiParams(filter),
        limit: LIMIT,
        cursor,
      }),
    { enabled: filter.q !== undefined },
  )
}

/** The search results in one meeting or document. */
type SearchResultGroup = {
  key: string
  bestResult: ApiSearchResult
  hits: ApiSearchResult[]
}

/** Groups search results by meeting or document. Groups are sorted by best result, results by position in the text. */
function groupAndSortSearchResults(results: readonly ApiSearchResult[]): SearchResultGroup[] {
  const groups = new Map<string, SearchResultGroup>()
  for (const hit of results) {
    const key = hit.kind === 'segment' ? `m ${hit.meetingId}` : `d ${hit.project}/${hit.path}`
    const group = groups.get(key) ?? { key, bestResult: hit, hits: [] }
    group.hits.push(hit)
    groups.set(key, group)
  }
  return [...groups.values()].map((group) => ({
    ...group,
    hits: group.hits.toSorted((a, b) => positionOf(a) - positionOf(b)),
  }))
}

function positionOf({ segmentNumber, line }: ApiSearchResult): number {
  return segmentNumber ?? line ?? 0
}
