import './palette.css'
import { Kbd, Stack, Switch, Title } from '@mantine/core'
import { Dialog } from '../ui/dialog.tsx'
import { useKeySwitch } from '../ui/key-switch.ts'
import { usePages } from '../ui/menu-pages.tsx'

type Row = readonly [keys: string, does: string]

const PALETTE = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘ k' : 'Ctrl k'

/** With a modifier: they work whatever the switch says. */
const ALWAYS: readonly Row[] = [[PALETTE, 'Search or go to']]

const SECTIONS: ReadonlyArray<{ title: string; rows: readonly Row[] }> = [
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
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useKeySwitch()
  const everywhere: Row[] = [
    ...usePages().map(({ keys, label }): Row => [keys, label]),
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
        <Rows rows={ALWAYS} />
        {[{ title: 'Everywhere', rows: everywhere }, ...SECTIONS].map(({ title, rows }) => (
          <section key={title} aria-label={title} className={isOn ? '' : 'row-faded'}>
            <Title order={3} size="h5" mb={4}>
              {title}
            </Title>
            <Rows rows={rows} />
          </section>
        ))}
      </Stack>
    </Dialog>
  )
}

function Rows({ rows }: { rows: readonly Row[] }) {
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
