import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { WireHistory } from '../../src/http/shapes/meetings.ts'
import type { WireProjects, WireSearch, WireSearchResult } from '../../src/http/shapes/projects.ts'
import type { WireTask } from '../../src/http/shapes/tasks.ts'
import { useApi } from '../app-state.tsx'
import { lineId } from '../meeting/line-id.ts'
import { toQuery } from '../meetings/queries.ts'
import { MarkedText } from '../search/marked-text.tsx'
import { fits, type Choice, type ChoiceGroup } from './choices.ts'

const FEW = '6'
const PAUSE_MS = 150

/** What the service has under these words: meetings, projects, and what was said or written. */
export function useFound(typed: string): {
  groups: ChoiceGroup[]
  isFetching: boolean
  error: unknown
} {
  const api = useApi()
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['palette', q],
    queryFn: async () => {
      const [{ meetings }, { projects }, { tasks }, { results }] = await Promise.all([
        api.get<WireHistory>(`/web/meetings${toQuery({ q, limit: FEW })}`),
        api.get<WireProjects>('/web/projects?limit=100'),
        api.get<{ tasks: WireTask[] }>('/web/tasks'),
        q === ''
          ? { results: [] }
          : api.get<WireSearch>(`/web/search${toQuery({ q, limit: FEW })}`),
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
      name: q === '' ? 'Newest meetings' : 'Meetings',
      choices: meetings.map(({ meetingId, title, project }) => ({
        id: meetingId,
        label: <bdi>{title}</bdi>,
        about: project,
        act: () => toMeeting(meetingId),
      })),
    },
    {
      name: 'Projects',
      choices: projects
        .filter(({ id, name }) => fits(`${name} ${id}`, typed))
        .slice(0, Number(FEW))
        .map(({ id, name }) => ({
          id: `project ${id}`,
          label: <bdi>{name}</bdi>,
          act: () =>
            void navigate({ to: '/projects/$projectId/$', params: { projectId: id, _splat: '' } }),
        })),
    },
    {
      name: 'Tasks',
      choices: tasks
        .filter(({ name }) => fits(name, typed))
        .slice(0, Number(FEW))
        .map(({ name }) => ({
          id: `task ${name}`,
          label: <bdi>{name}</bdi>,
          act: () => void navigate({ to: '/tasks/$name', params: { name } }),
        })),
    },
    {
      name: 'Said and written',
      choices: results.map((hit) =>
        toChoice(hit, () =>
          hit.kind === 'segment'
            ? toMeeting(hit.meetingId ?? '', lineId(hit.segmentNumber ?? 1))
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

function toChoice(hit: WireSearchResult, act: () => void): Choice {
  const { title, speaker, text, matches, meetingId, segmentNumber, path, line } = hit
  return {
    id: `hit ${meetingId} ${segmentNumber} ${path} ${line}`,
    label: <MarkedText text={text} matches={matches} />,
    about: speaker === null ? title : `${speaker}, ${title}`,
    act,
  }
}
