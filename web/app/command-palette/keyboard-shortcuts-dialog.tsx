import { Kbd, Stack, Switch, Title } from '@mantine/core'
import './command-palette.css'
import { Dialog } from '../../ui/dialogs.tsx'
import { useSingleKeyShortcutsSetting } from '../../ui/use-shortcuts.ts'
import { useMenuPages } from '../layout/menu-pages.tsx'

type ShortcutRow = readonly [keys: string, action: string]

const MODIFIER = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Shortcuts with a modifier key. They stay active when the user turns off single-key shortcuts. */
const MODIFIER_SHORTCUTS: readonly ShortcutRow[] = [
  [`${MODIFIER} k`, 'Search or jump to'],
  [`${MODIFIER} Enter`, 'Send a comment, or add a line to the recap'],
]

const SECTIONS: ReadonlyArray<{ title: string; rows: readonly ShortcutRow[] }> = [
  { title: 'Meetings', rows: [['n', 'New meeting']] },
  {
    title: 'Meeting page',
    rows: [
      ['f', 'Turn auto-scroll on or off'],
      ['/', 'Find in transcript'],
      ['[', 'Previous speaker'],
      [']', 'Next speaker'],
      ['↑ ↓', 'Line above or below, from the time of a line'],
      ['b', 'Bookmark the line'],
      ['c', 'Comment on the line'],
      ['d', 'Add the line to the decisions'],
      ['a', 'Add the line to the action items'],
      ['q', 'Add the line to the open questions'],
      ['e', 'Export'],
      ['s', 'Stop'],
    ],
  },
  {
    title: 'Tasks and runs',
    rows: [
      ['n', 'New task'],
      ['r', 'Run now'],
      ['e', 'Edit task'],
      [',', 'Previous run'],
      ['.', 'Next run'],
    ],
  },
  { title: 'Deliveries', rows: [['R', 'Replay failed events']] },
]

/** Lists the keyboard shortcuts, with a switch for those without a modifier key. */
export function KeyboardShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useSingleKeyShortcutsSetting()
  const everywhere: ShortcutRow[] = [
    ...useMenuPages().map(({ keys, label }): ShortcutRow => [keys, label]),
    ['?', 'Keyboard shortcuts'],
  ]
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Stack gap="lg">
        <Switch
          label="Single-key shortcuts"
          description="Turn them off if you use voice input or press keys by accident. Saved in this browser."
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
        <ShortcutList rows={MODIFIER_SHORTCUTS} />
        {[{ title: 'Everywhere', rows: everywhere }, ...SECTIONS].map(({ title, rows }) => (
          <section key={title} aria-label={title} className={isOn ? '' : 'row-dimmed'}>
            <Title order={3} size="h5" mb={4}>
              {title}
            </Title>
            <ShortcutList rows={rows} />
          </section>
        ))}
      </Stack>
    </Dialog>
  )
}

function ShortcutList({ rows }: { rows: readonly ShortcutRow[] }) {
  return (
    <ul className="plain-list">
      {rows.map(([keys, action]) => (
        <li key={keys} className="key-row">
          <span>{action}</span>
          <span className="one-line">
            {keys.split(' ').map((key, i) => (
              <span key={key}>
                {i > 0 && ' '}
                <Kbd>{key}</Kbd>
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}
