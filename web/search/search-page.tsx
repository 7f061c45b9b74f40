import './search.css'
import { Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { WireSearch } from '../../src/http/shapes/projects.ts'
import { pluralize } from '../meetings/meeting-labels.ts'
import type { SearchFilter } from './search-filter.ts'
import { SearchFilterFields } from './filter-fields.tsx'
import { groupHits, useSearchResults } from './queries.ts'
import { SearchResults } from './search-results.tsx'
import { TextLink } from '../ui/links.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { useDebouncedField } from '../ui/forms/use-debounced-field.ts'
import { LoadMoreButton } from '../ui/tables/load-more-button.tsx'

const route = getRouteApi('/signed-in/search')

export function SearchPage() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const set = (change: SearchFilter) =>
    void navigate({ search: (known) => ({ ...known, ...change }), replace: true })
  const [text, setText] = useDebouncedField(filter.q ?? '', (typed) =>
    set({ q: typed || undefined }),
  )
  return (
    <Stack gap="lg" maw={900}>
      <PageTitle>Search</PageTitle>
      <Stack gap="sm" role="search">
        <TextInput
          label="What was said or written"
          type="search"
          size="md"
          autoFocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <SearchFilterFields filter={filter} onChange={set} />
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
      <QueryView query={query} label="what was found">
        {({ pages }) => {
          const results = pages.flatMap((page) => page.results)
          return (
            <>
              <Corrections filter={filter} q={q} corrections={pages[0]?.corrections ?? []} />
              {results.length > 0 ? (
                <SearchResults groups={groupHits(results)} />
              ) : (
                !query.isFetching && <NoResults filter={filter} q={q} />
              )}
            </>
          )
        }}
      </QueryView>
      <LoadMoreButton query={query}>Show more</LoadMoreButton>
    </>
  )
}

function describeCount(pages: readonly WireSearch[]): string {
  const count = pages.reduce((sum, { results }) => sum + results.length, 0)
  if (count === 0) return ''
  return `${pluralize(count, 'place')} found${pages.at(-1)?.nextCursor === null ? '' : ' so far'}`
}

interface CorrectionsProps {
  filter: SearchFilter
  q: string
  corrections: WireSearch['corrections']
}

/** Said openly: what is shown was found for other words than those that were typed. */
function Corrections({ filter, q, corrections }: CorrectionsProps) {
  return corrections.map(({ word, meant }) => (
    <Text key={word} className="break-anywhere">
      Nobody ever said or wrote “{word}”. Looked for instead:{' '}
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

/** The service tells the word in its plain letters; where the question had others, the new one is added alone. */
function replaceWord(q: string, word: string, other: string): string {
  const at = q.toLowerCase().indexOf(word)
  return at < 0 ? other : q.slice(0, at) + other + q.slice(at + word.length)
}

function NoResults({ filter, q }: { filter: SearchFilter; q: string }) {
  const { q: _, ...others } = filter
  const isFiltered = Object.values(others).some(Boolean)
  return (
    <Stack gap="xs">
      <Text className="break-anywhere">
        Nothing was found for “{q}”{isFiltered && ' with these filters'}.
      </Text>
      {isFiltered && (
        <TextLink to="/search" search={{ q }}>
          Search everywhere
        </TextLink>
      )}
      <Text size="sm" c="dimmed">
        Every word must be there. Fewer words, or only the beginning of one, find more.
      </Text>
    </Stack>
  )
}

const EXAMPLES: ReadonlyArray<{ search: SearchFilter; shown: string; about: string }> = [
  { search: { q: 'budget' }, shown: 'budget', about: 'a word, in any case and without accents' },
  {
    search: { q: 'migra' },
    shown: 'migra',
    about: 'the beginning of a word, three letters or more',
  },
  { search: { q: '"by Friday"' }, shown: '"by Friday"', about: 'words exactly as they stand' },
  {
    search: { q: 'release', kind: 'segment' },
    shown: 'release, what was said',
    about: 'only what somebody said; live meetings are included',
  },
]

function Examples() {
  return (
    <Stack gap="xs" component="section" aria-label="Examples">
      <Text>Searches every transcript and every document of all projects. For example:</Text>
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
