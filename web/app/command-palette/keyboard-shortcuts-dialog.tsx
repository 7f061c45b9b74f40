import './command-palette.css'
import { Kbd, Stack, Switch, Title } from '@mantine/core'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { useShortcutsSetting } from '../../ui/keyboard/shortcuts-setting.ts'
import { useMenuPages } from '../layout/menu-pages.tsx'

type ShortcutRow = readonly [keys: string, does: string]

const PALETTE_SHORTCUT = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘ k' : 'Ctrl k'

/** With a modifier: they work whatever the switch says. */
const MODIFIER_SHORTCUTS: readonly ShortcutRow[] = [[PALETTE_SHORTCUT, 'Search or go to']]

const SECTIONS: ReadonlyArray<{ title: string; rows: readonly ShortcutRow[] }> = [
  { title: 'Meetings', rows: [['n', 'Paste the link of a new one']] },
  {
    title: 'One meeting',
    rows: [
      ['f', 'Follow, or stop following'],
      ['/', 'Find in the transcript'],
      ['[', 'The speaker before'],
      [']', 'The speaker after'],
      ['e', 'Export'],
      ['s', 'Stop'],
    ],
  },
  {
    title: 'Tasks and runs',
    rows: [
      ['r', 'Run now'],
      ['e', 'Edit the task'],
      [',', 'The run before'],
      ['.', 'The run after'],
    ],
  },
  { title: 'Deliveries', rows: [['R', 'Replay all that failed']] },
]

/** The keys of the console, and the switch that turns those without a modifier off. */
export function KeyboardShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useShortcutsSetting()
  const everywhere: ShortcutRow[] = [
    ...useMenuPages().map(({ keys, label }): ShortcutRow => [keys, label]),
    ['?', 'These keys'],
  ]
  return (
    <Dialog title="Keyboard keys" onClose={onClose}>
      <Stack gap="lg">
        <Switch
          label="Keys without Ctrl or ⌘"
          description="Turn them off if you speak to your computer, or press keys by accident. This browser remembers it."
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
      {rows.map(([keys, does]) => (
        <li key={keys} className="key-row">
          <span>{does}</span>
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
