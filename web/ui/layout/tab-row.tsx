import { Tabs } from '@mantine/core'
import { useEffect, useRef } from 'react'

interface TabRowProps {
  /** The tabs in order, by value. */
  tabs: Record<string, { label: string }>
  selected: string
}

/** The row of tabs above a page. On a phone it scrolls, so the selected tab is scrolled into view. */
export function TabRow({ tabs, selected }: TabRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const position = Object.keys(tabs).indexOf(selected)
  useEffect(() => {
    row.current?.children[position]?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [position])
  return (
    <Tabs.List ref={row}>
      {Object.entries(tabs).map(([name, { label }]) => (
        <Tabs.Tab key={name} value={name}>
          {label}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
}
