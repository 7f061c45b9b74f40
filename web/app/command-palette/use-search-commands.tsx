import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ApiSearchResult } from '../../../src/http/shapes/projects.ts'
import { useApi } from '../../api/app-state.tsx'
import { lineElementId } from '../../meetings/meeting/transcript/line-elements.ts'
import { HighlightedText } from '../../search/highlighted-text.tsx'
import { toPlainDocumentText } from '../../search/plain-document-text.ts'
import { matchesWordPrefixes, type Command, type CommandGroup } from './commands.ts'
import { Name } from '../../ui/format/name.tsx'
import { markDirectionControls } from '../../ui/format/format-text.ts'

const MAX_PER_GROUP = 6
const DEBOUNCE_MS = 150

/** Searches meetings, projects, tasks, transcripts and documents for the command palette. */
export function useSearchCommands(typed: string): {
  groups: CommandGroup[]
  isFetching: boolean
  error: unknown
} {
  const api = useApi()
  const [q] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['palette', q],
    queryFn: async () => {
      const [{ meetings }, { projects }, { tasks }, { results }] = await Promise.all([
        api.meetings.list({ q: q || undefined, limit: MAX_PER_GROUP }),
        api.projects.list({ limit: 100 }),
        api.tasks.list(),
        q === '' ? { results: [] } : api.search.find({ q, limit: MAX_PER_GROUP }),
      ])
      return { meetings, projects, tasks, results }
    },
    placeholderData: keepPreviousData,
  })
  const { meetings = [], projects = [], tasks = [], results = [] } = query.data ?? {}
  const toMeeting = (meetingId: string, hash?: string) =>
    void navigate({
      to: '/meetings/$meetingId',
      params: { meetingId },
      ...(hash !== undefined && { hash }),
    })
  const groups = [
    {
      name: q === '' ? 'Recent meetings' : 'Meetings',
      commands: meetings.map(({ meetingId, title, project }) => ({
        id: meetingId,
        label: <Name>{title}</Name>,
        detail: project,
        run: () => toMeeting(meetingId),
      })),
    },
    {
      name: 'Projects',
      commands: projects
        .filter(({ id, name }) => matchesWordPrefixes(`${name} ${id}`, typed))
        .slice(0, MAX_PER_GROUP)
        .map(({ id, name }) => ({
          id: `project ${id}`,
          label: <Name>{name}</Name>,
          run: () =>
            void navigate({ to: '/projects/$projectId/$', params: { projectId: id, _splat: '' } }),
        })),
    },
    {
      name: 'Tasks',
      commands: tasks
        .filter(({ name }) => matchesWordPrefixes(name, typed))
        .slice(0, MAX_PER_GROUP)
        .map(({ name }) => ({
          id: `task ${name}`,
          label: <Name>{name}</Name>,
          run: () => void navigate({ to: '/tasks/$name', params: { name } }),
        })),
    },
    {
      name: 'Transcripts and documents',
      commands: results.map((hit) =>
        toCommand(hit, () =>
          hit.kind === 'segment'
            ? toMeeting(hit.meetingId ?? '', lineElementId(hit.segmentNumber ?? 1))
            : void navigate({
                to: '/projects/$projectId/$',
                params: { projectId: hit.project, _splat: hit.path ?? '' },
                hash: `L${hit.line ?? 1}`,
              }),
        ),
      ),
    },
  ]
  return { groups, isFetching: query.isFetching, error: query.error }
}

function toCommand(hit: ApiSearchResult, run: () => void): Command {
  const { kind, title, speaker, meetingId, segmentNumber, path, line } = hit
  const { text, matches } = kind === 'segment' ? hit : toPlainDocumentText(hit.text, hit.matches)
  return {
    id: `hit ${meetingId} ${segmentNumber} ${path} ${line}`,
    label: <HighlightedText text={text} matches={matches} />,
    detail: markDirectionControls(speaker === null ? title : `${speaker}, ${title}`),
    run,
  }
}
