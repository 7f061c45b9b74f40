import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { TextInput, Text, useMantineColorScheme } from '@mantine/core'
import { useState, useEffect, type ReactNode, type KeyboardEvent } from 'react'
import './command-palette.css'
import { GET_STARTED_STEPS, HIDDEN_LIST_KEY } from '../../../src/http/shapes/values.ts'
import { useChangeMark, useMarks } from '../../account/use-marks.ts'
import { PRACTICE_MEETING_INPUT, useStartMeeting } from '../../meetings/use-start-meeting.ts'
import { formatCountWithNoun, markDirectionControls } from '../../ui/format/format-text.ts'
import { Dialog } from '../../ui/dialogs.tsx'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useMenuPages } from '../layout/menu-pages.tsx'
import { useAction } from '../../ui/forms.tsx'
import type { ApiSearchResult } from '../../../src/http/shapes/projects.ts'
import { useApi } from '../../api/use-api.tsx'
import { lineElementId } from '../../meetings/meeting/transcript/line-elements.ts'
import { HighlightedText } from '../../search/highlighted-text.tsx'
import { toPlainDocumentText } from '../../search/plain-document-text.ts'
import { Name, meetingPage, projectPage, taskPage } from '../../ui/links.tsx'

interface CommandPaletteProps {
  onClose: () => void
  onNewToken: () => void
  onShowShortcuts: () => void
}

/** Opens pages and search results and runs common actions: type, choose with the arrow keys, press Enter. */
export function CommandPalette({ onClose, onNewToken, onShowShortcuts }: CommandPaletteProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const fixed = useStaticCommands(text, { onNewToken, onShowShortcuts })
  const found = useSearchCommands(text)
  const groups = [...fixed, ...found.groups].filter(({ commands }) => commands.length > 0)
  const choices = groups.flatMap((group) => group.commands)
  const current = choices[Math.min(at, choices.length - 1)]
  const action = useAction(async (choice: Command) => {
    await choice.run()
    onClose()
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, choices.length - 1) + step + choices.length) % choices.length)
    }
    if (event.key === 'Enter' && current) {
      event.preventDefault()
      void action.run(current)
    }
  }
  return (
    <Dialog title="Search or jump to" size="lg" onClose={onClose}>
      <TextInput
        aria-label="Search or jump to"
        placeholder="Search pages, meetings and transcripts, or ask a question"
        role="combobox"
        aria-expanded
        aria-controls="palette"
        aria-autocomplete="list"
        aria-activedescendant={current && optionId(current)}
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ErrorBox error={action.error} />
      <ErrorBox error={found.error} />
      <Text role="status" size="xs" c="dimmed" mt="xs">
        {found.isFetching || action.isRunning
          ? 'Loading…'
          : formatCountWithNoun(choices.length, 'result')}
      </Text>
      <CommandList
        groups={groups}
        current={current}
        onChoose={(choice) => void action.run(choice)}
      />
    </Dialog>
  )
}

interface CommandListProps {
  groups: CommandGroup[]
  current: Command | undefined
  onChoose: (choice: Command) => void
}

function CommandList({ groups, current, onChoose }: CommandListProps) {
  const id = current && optionId(current)
  useEffect(() => {
    if (id !== undefined) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id])
  return (
    <div id="palette" role="listbox" aria-label="Results" className="palette">
      {groups.map(({ name, commands }) => (
        <div key={name} role="group" aria-label={name}>
          <div className="palette-group" aria-hidden>
            {name}
          </div>
          {commands.map((choice) => (
            // Options need no key handler, because the palette's text field keeps the focus and handles the keys.
            <div
              key={choice.id}
              id={optionId(choice)}
              role="option"
              tabIndex={-1}
              aria-selected={choice === current}
              className="palette-choice"
              onClick={() => onChoose(choice)}
            >
              {choice.label}
              {choice.detail !== undefined && (
                <span className="palette-about">{choice.detail}</span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** The HTML element id of a command. Encoded, because a command id may contain spaces, which element ids must not. */
function optionId({ id }: Command): string {
  return `choice-${encodeURIComponent(id)}`
}

type StaticCommandHandlers = Pick<CommandPaletteProps, 'onNewToken' | 'onShowShortcuts'>

const THEMES = { auto: 'system', light: 'light', dark: 'dark' } as const

/** The commands that do not depend on a search: pages and common actions. */
function useStaticCommands(
  text: string,
  { onNewToken, onShowShortcuts }: StaticCommandHandlers,
): CommandGroup[] {
  const navigate = useNavigate()
  const start = useStartMeeting()
  const changeMark = useChangeMark()
  const marks = useMarks()
  // The home page has no list after all steps are done.
  const hasSteps = !GET_STARTED_STEPS.every((step) => marks.has('get_started', step))
  const showGetStarted = async () => {
    await changeMark('get_started', HIDDEN_LIST_KEY, false)
    await navigate({ to: '/' })
  }
  const { setColorScheme } = useMantineColorScheme()
  const pages = useMenuPages().map(({ to, label }) => ({
    id: to,
    label,
    run: () => void navigate({ to }),
  }))
  const q = text.trim()
  const actions = [
    { id: 'practice', label: 'Start a practice meeting', run: () => start(PRACTICE_MEETING_INPUT) },
    { id: 'token', label: 'New token', run: onNewToken },
    ...(hasSteps
      ? [{ id: 'get-started', label: 'Show the get-started list', run: showGetStarted }]
      : []),
    { id: 'keys', label: 'Keyboard shortcuts', run: onShowShortcuts },
    ...Object.entries(THEMES).map(([scheme, label]) => ({
      id: `theme ${scheme}`,
      label: `Theme: ${label}`,
      run: () => setColorScheme(scheme as keyof typeof THEMES),
    })),
  ]
  const everywhere = {
    id: 'search',
    label: `Search everywhere for “${q}”`,
    run: () => void navigate({ to: '/search', search: { q } }),
  }
  const ask = {
    id: 'ask',
    label: `Ask: ${q}`,
    run: () => void navigate({ to: '/ask', search: { q } }),
  }
  return [
    { name: 'Pages', commands: pages.filter(({ label }) => matchesWordPrefixes(label, text)) },
    { name: 'Actions', commands: actions.filter(({ label }) => matchesWordPrefixes(label, text)) },
    { name: 'Search and ask', commands: q === '' ? [] : [everywhere, ask] },
  ]
}

const MAX_PER_GROUP = 6
const DEBOUNCE_MS = 150

/** Searches meetings, projects, tasks, transcripts and documents for the command palette. */
function useSearchCommands(typed: string): {
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
      ...meetingPage(meetingId),
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
          run: () => void navigate(projectPage(id)),
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
          run: () => void navigate(taskPage(name)),
        })),
    },
    {
      name: 'Transcripts and documents',
      commands: results.map((hit) =>
        toCommand(hit, () =>
          hit.kind === 'segment'
            ? toMeeting(hit.meetingId ?? '', lineElementId(hit.segmentNumber ?? 1))
            : void navigate({
                ...projectPage(hit.project, hit.path ?? ''),
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

interface Command {
  id: string
  label: ReactNode
  /** Secondary text after the label. */
  detail?: string | undefined
  run: () => void | Promise<void>
}

interface CommandGroup {
  name: string
  commands: Command[]
}

/** True if every typed word is the beginning of a word in the command's name. */
function matchesWordPrefixes(commandName: string, typedText: string): boolean {
  const words = commandName.toLocaleLowerCase().split(/\s+/)
  const prefixes = typedText.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)))
}
