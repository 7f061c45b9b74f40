import './palette.css'
import { Text, TextInput, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { PRACTICE, useStart } from '../meetings/start.ts'
import { counted } from '../meetings/words.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorBox } from '../ui/error-box.tsx'
import { usePages } from '../ui/menu-pages.tsx'
import { useAction } from '../ui/use-action.ts'
import { fits, type Choice, type ChoiceGroup } from './choices.ts'
import { useFound } from './use-found.tsx'

interface PaletteProps {
  onClose: () => void
  onNewToken: () => void
  onKeys: () => void
}

/** Goes anywhere and does the common things: type, choose with the arrows, press Enter. */
export function Palette({ onClose, onNewToken, onKeys }: PaletteProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const fixed = useFixed(text, { onNewToken, onKeys })
  const found = useFound(text)
  const groups = [...fixed, ...found.groups].filter(({ choices }) => choices.length > 0)
  const choices = groups.flatMap((group) => group.choices)
  const current = choices[Math.min(at, choices.length - 1)]
  const action = useAction(async (choice: Choice) => {
    await choice.act()
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
    <Dialog title="Search or go to" size="lg" onClose={onClose}>
      <TextInput
        aria-label="Search or go to"
        placeholder="A page, a meeting, words that were said"
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
        {found.isFetching || action.isRunning ? 'One moment…' : counted(choices.length, 'choice')}
      </Text>
      <Choices groups={groups} current={current} onChoose={(choice) => void action.run(choice)} />
    </Dialog>
  )
}

interface ChoicesProps {
  groups: ChoiceGroup[]
  current: Choice | undefined
  onChoose: (choice: Choice) => void
}

function Choices({ groups, current, onChoose }: ChoicesProps) {
  const id = current && optionId(current)
  useEffect(() => {
    if (id !== undefined) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id])
  return (
    <div id="palette" role="listbox" aria-label="Choices" className="palette">
      {groups.map(({ name, choices }) => (
        <div key={name} role="group" aria-label={name}>
          <div className="palette-group" aria-hidden>
            {name}
          </div>
          {choices.map((choice) => (
            // The keys are those of the field, which keeps the focus.
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
              {choice.about !== undefined && <span className="palette-about">{choice.about}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** The same id for the same choice, whatever its name holds. */
function optionId({ id }: Choice): string {
  return `choice-${encodeURIComponent(id)}`
}

type Doing = Pick<PaletteProps, 'onNewToken' | 'onKeys'>

const THEMES = { auto: 'as the system', light: 'light', dark: 'dark' } as const

/** What is always there: pages, and the common things to do. */
function useFixed(text: string, { onNewToken, onKeys }: Doing): ChoiceGroup[] {
  const navigate = useNavigate()
  const start = useStart()
  const { setColorScheme } = useMantineColorScheme()
  const pages = usePages().map(({ to, label }) => ({
    id: to,
    label,
    act: () => void navigate({ to }),
  }))
  const q = text.trim()
  const acts = [
    { id: 'practice', label: 'Start a practice meeting', act: () => start(PRACTICE) },
    { id: 'token', label: 'New token', act: onNewToken },
    { id: 'keys', label: 'Keyboard keys', act: onKeys },
    ...Object.entries(THEMES).map(([scheme, words]) => ({
      id: `theme ${scheme}`,
      label: `Theme: ${words}`,
      act: () => setColorScheme(scheme as keyof typeof THEMES),
    })),
  ]
  const everywhere = {
    id: 'search',
    label: `Search everywhere for “${q}”`,
    act: () => void navigate({ to: '/search', search: { q } }),
  }
  return [
    { name: 'Pages', choices: pages.filter(({ label }) => fits(label, text)) },
    { name: 'Do', choices: acts.filter(({ label }) => fits(label, text)) },
    { name: 'Search', choices: q === '' ? [] : [everywhere] },
  ]
}
