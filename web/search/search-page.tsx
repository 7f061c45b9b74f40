import './search.css'
import { Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ApiSearchResponse } from '../../src/http/shapes/projects.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import type { SearchFilter } from './search-filter.ts'
import { SearchFilterFields } from './filter-fields.tsx'
import { groupAndSortSearchResults, useSearchResults } from './queries.ts'
import { SearchResults } from './search-results.tsx'
import { TextLink } from '../ui/links.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { PageTitle } from '../ui/layout/headings.tsx'
import { useDebouncedUrlField } from '../ui/forms/use-debounced-field.ts'
import { LoadMoreButton } from '../ui/tables/pages.tsx'

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
