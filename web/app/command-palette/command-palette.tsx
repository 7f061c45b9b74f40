import './command-palette.css'
import { Text, TextInput, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { GET_STARTED_STEPS, HIDDEN_LIST_KEY } from '../../../src/http/shapes/values.ts'
import { useChangeMark, useMarks } from '../../account/use-marks.ts'
import { PRACTICE_MEETING_INPUT, useStartMeeting } from '../../meetings/use-start-meeting.ts'
import { formatCountWithNoun } from '../../ui/format/format-text.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useMenuPages } from '../layout/menu-pages.tsx'
import { useAction } from '../../ui/forms/form.tsx'
import { matchesWordPrefixes, type Command, type CommandGroup } from './commands.ts'
import { useSearchCommands } from './use-search-commands.tsx'

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
      {action.error ? <ErrorBox error={action.error} /> : null}
      {found.error ? <ErrorBox error={found.error} /> : null}
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
