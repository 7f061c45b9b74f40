import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { type ReactNode, Fragment, useId, useState, useRef, useEffect } from 'react'
import { Title, Group, Card, Stack, Button, Tabs, type StackProps } from '@mantine/core'
import { markDirectionControls } from './format/format-text.ts'
import { Name } from './links.tsx'
import { PHONE_MEDIA_QUERY } from './breakpoints.ts'
import { ChevronDownIcon, ChevronUpIcon } from './icons.tsx'
import { Hint } from './text.tsx'

interface PageTitleProps {
  children: string
  /** The title of the browser tab, if it differs from the page's. */
  tabTitle?: string
}

/** The only h1 of a page. Also sets the browser tab's title. */
export function PageTitle({ children, tabTitle = children }: PageTitleProps) {
  useDocumentTitle(`${markDirectionControls(tabTitle)} · Hansard`)
  return (
    <Title order={1}>
      <Name>{children}</Name>
    </Title>
  )
}

interface SectionHeaderProps {
  title: string
  description: string
  children?: ReactNode
}

/** The header of a page section: title, one-sentence description and main button. */
export function SectionHeader({ title, description, children }: SectionHeaderProps) {
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <div>
        <Title order={2}>{title}</Title>
        <Hint maw={560} mt={4}>
          {description}
        </Hint>
      </div>
      {children}
    </Group>
  )
}

export type DescriptionItem = [name: string, value: ReactNode]

/** A list of names with one value each. */
export function DescriptionList({ facts }: { facts: readonly DescriptionItem[] }) {
  return (
    <dl className="description-list">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

interface InfoCardProps {
  title: string
  facts: DescriptionItem[]
  children?: ReactNode
}

/** A titled card with a description list and optional content below it. */
export function InfoCard({ title, facts, children }: InfoCardProps) {
  const id = useId()
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} id={id}>
          {title}
        </Title>
        {facts.length > 0 && <DescriptionList facts={facts} />}
        {children}
      </Stack>
    </Card>
  )
}

interface FilterRowProps {
  /** The list's filter. The number of its set values is shown. */
  filter: object
  children: ReactNode
}

/** Fields that filter a list. On phones they are behind a button, so that the list is on the screen. */
export function FilterRow({ filter, children }: FilterRowProps) {
  const isPhone = useMediaQuery(PHONE_MEDIA_QUERY, false, { getInitialValueInEffect: false })
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const count = Object.values(filter).filter(Boolean).length
  return (
    <div role="group" aria-label="Filters">
      {isPhone && (
        <Button
          variant="default"
          size="sm"
          aria-expanded={isOpen}
          aria-controls={id}
          rightSection={isOpen ? <ChevronUpIcon /> : <ChevronDownIcon />}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? 'Filters' : `Filters (${count} set)`}
        </Button>
      )}
      <div className="filter-row" id={id} hidden={isPhone && !isOpen}>
        {children}
      </div>
    </div>
  )
}

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

type SectionProps = StackProps & {
  id: string
  title: string
  /** Beside the title, for example a link to the page with the full list. */
  more?: ReactNode
  children: ReactNode
}

/** A part of a page with its heading. */
export function Section({ id, title, more, children, ...stack }: SectionProps) {
  const heading = (
    <Title order={2} id={id}>
      {title}
    </Title>
  )
  return (
    <Stack gap="sm" component="section" aria-labelledby={id} {...stack}>
      {more === undefined ? (
        heading
      ) : (
        <Group justify="space-between" align="baseline" gap="xs">
          {heading}
          {more}
        </Group>
      )}
      {children}
    </Stack>
  )
}
