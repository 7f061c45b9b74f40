import type { ButtonProps } from '@mantine/core'
import {
  Card,
  Group,
  Stack,
  Table,
  Text,
  VisuallyHidden,
  ActionIcon,
  Menu,
  Button,
} from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, type MouseEvent, Fragment, useState } from 'react'
import './data-table.css'
import { TABLE_AS_CARDS_MEDIA_QUERY } from '../breakpoints.ts'
import { copyText } from '../copy.tsx'
import { CheckIcon, CopyIcon, DotsIcon } from '../icons.tsx'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Short values stay on one line. */
  isShort?: boolean
  /** Shown only if the table is wide. `low` columns disappear first, then `middle`. Other columns always stay. */
  priority?: 'middle' | 'low'
  /**
   * Position of the value in a phone's two-line card: beside the name, or in the line below it. A column without it is
   * not in that card. If no column has it, the cards list every value.
   */
  card?: 'badge' | 'line'
}

interface DataTableProps<Row> {
  /** Describes the table for screen readers. */
  caption: string
  rows: Row[]
  /** The first column names the row. A click on the row opens that column's first link or button. */
  columns: [Column<Row>, ...Column<Row>[]]
  /** True if names are short, such as times, so that other columns get more space. */
  hasShortNames?: boolean
  /** A second, quieter line below the name. */
  renderDetail?: (row: Row) => ReactNode
  renderActions?: (row: Row) => ReactNode
  /** The row's menu with values to copy. */
  rowMenu?: (row: Row) => RowCopyMenuProps
  isDimmed?: (row: Row) => boolean
}

/** A table on wide screens, a list of cards on narrow ones. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const isNarrow = useMediaQuery(TABLE_AS_CARDS_MEDIA_QUERY, false, {
    getInitialValueInEffect: false,
  })
  if (!isNarrow) return <WideTable {...props} />
  const hasShortCards = props.columns.some(({ card }) => card !== undefined)
  return hasShortCards ? <ShortCardList {...props} /> : <FullCardList {...props} />
}

function WideTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, columns, renderDetail, isDimmed } = props
  const [first, ...otherColumns] = columns
  const hasActions = props.renderActions !== undefined || props.rowMenu !== undefined
  return (
    <div className="table-frame">
      <Table
        className="data-table"
        data-short-names={props.hasShortNames}
        verticalSpacing={9}
        horizontalSpacing="sm"
      >
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, priority }) => (
              <Table.Th key={header} scope="col" data-priority={priority}>
                {header}
              </Table.Th>
            ))}
            {hasActions && (
              <Table.Th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={row.id}
              className={isDimmed?.(row) ? 'row-dimmed' : ''}
              onClick={openRowTarget}
              onAuxClick={openRowTarget}
            >
              <Table.Th scope="row" className="row-name break-anywhere">
                {first.cell(row)}
                {renderDetail && <div className="row-detail">{renderDetail(row)}</div>}
              </Table.Th>
              {otherColumns.map(({ header, cell, isShort, priority }) => (
                <Table.Td
                  key={header}
                  className={isShort === true ? 'one-line' : ''}
                  data-priority={priority}
                >
                  {cell(row)}
                </Table.Td>
              ))}
              {hasActions && (
                <Table.Td className="row-actions">
                  <Actions {...props} row={row} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** Two lines per row: the name with a badge, and the most important values. The row's page has the rest. */
function ShortCardList<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, columns, renderDetail, isDimmed } = props
  const [first, ...otherColumns] = columns
  const inCard = (place: Column<Row>['card']) => otherColumns.filter(({ card }) => card === place)
  return (
    <ul className="plain-list card-list" aria-label={caption}>
      {rows.map((row) => (
        <li
          key={row.id}
          className={isDimmed?.(row) ? 'short-card row-dimmed' : 'short-card'}
          onClick={openRowTarget}
        >
          <div className="short-card-name row-name">{first.cell(row)}</div>
          <div className="short-card-badge">
            {inCard('badge').map(({ header, cell }) => (
              <Fragment key={header}>{cell(row)}</Fragment>
            ))}
          </div>
          <div className="short-card-line">
            {inCard('line').map(({ header, cell }) => (
              <span key={header}>{cell(row)}</span>
            ))}
            {renderDetail && <span>{renderDetail(row)}</span>}
          </div>
        </li>
      ))}
    </ul>
  )
}

function FullCardList<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, columns, renderDetail, isDimmed } = props
  const [first, ...otherColumns] = columns
  return (
    <Stack component="ul" className="plain-list" aria-label={caption} gap="sm">
      {rows.map((row) => (
        <Card
          key={row.id}
          component="li"
          withBorder
          className={isDimmed?.(row) ? 'row-dimmed' : ''}
        >
          <Stack gap="sm">
            <Text component="div" fw={600} className="break-anywhere">
              {first.cell(row)}
              {renderDetail && <div className="row-detail">{renderDetail(row)}</div>}
            </Text>
            <dl className="description-list">
              {otherColumns.map(({ header, cell }) => (
                <Fragment key={header}>
                  <dt>{header}</dt>
                  <dd>{cell(row)}</dd>
                </Fragment>
              ))}
            </dl>
            <Actions {...props} row={row} />
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}

function Actions<Row extends { id: string }>(props: DataTableProps<Row> & { row: Row }) {
  const { renderActions, rowMenu, row } = props
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {renderActions?.(row)}
      {rowMenu && <RowCopyMenu {...rowMenu(row)} />}
    </Group>
  )
}

const CONTROLS = 'a, button, input, select, textarea, label, summary'
const MIDDLE_BUTTON = 1

/**
 * Opens the link in a row's name when the row is clicked elsewhere. The keyboard uses the link itself. A click that
 * ends a text selection opens nothing, and neither does a click on another control of the row.
 */
function openRowTarget(event: MouseEvent<HTMLElement>): void {
  const { currentTarget: row, target, type, button } = event
  // React also reports clicks inside the row's menus, which are elsewhere in the document.
  if (!(target instanceof Element) || !row.contains(target)) return
  if (target.closest(CONTROLS) !== null || window.getSelection()?.type === 'Range') return
  const link = row.querySelector<HTMLElement>('.row-name :is(a, button)')
  if (link === null) return
  if (type === 'click' && !event.ctrlKey && !event.metaKey && !event.shiftKey) link.click()
  else if (link instanceof HTMLAnchorElement && (type === 'click' || button === MIDDLE_BUTTON))
    window.open(link.href, '_blank', 'noopener')
}

interface RowCopyMenuProps {
  /** Names the row for screen readers. */
  rowName: string
  id: string
  /** The API path that reads this row, without `/api/v1`. */
  curlApiPath?: string
}

/** Copies a row's id, and the curl command that reads the row through the API. */
function RowCopyMenu({ rowName, id, curlApiPath }: RowCopyMenuProps) {
  const [result, setResult] = useState<{ label: string; isCopied: boolean } | null>(null)
  async function copy(label: string, text: string, near: HTMLElement): Promise<void> {
    setResult({ label, isCopied: await copyText(text, near) })
  }
  const copies = [
    ...(curlApiPath === undefined ? [] : [{ label: 'Copy as curl', text: toCurl(curlApiPath) }]),
    { label: 'Copy ID', text: id },
  ]
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} onClose={() => setResult(null)}>
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={`More about ${rowName}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {copies.map(({ label, text }) => {
          const isCopied = result?.label === label ? result.isCopied : null
          return (
            <Menu.Item
              key={label}
              closeMenuOnClick={false}
              leftSection={isCopied === true ? <CheckIcon /> : <CopyIcon />}
              onClick={({ currentTarget }) => void copy(label, text, currentTarget)}
            >
              {/* Not a status or alert element, because a menu may contain only its entries. */}
              <span aria-live="polite">{describeCopy(label, isCopied)}</span>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The text of an entry: initially, after success and after a refused attempt. */
function describeCopy(label: string, isCopied: boolean | null): string {
  if (isCopied === null) return label
  return isCopied ? label.replace('Copy', 'Copied') : 'Your browser blocked copying.'
}

/** The command reads the API key from the environment, so copying it exposes no secret. */
function toCurl(path: string): string {
  const url = `${window.location.origin}/api/v1${path}`.replaceAll("'", '%27')
  return `curl -H "X-API-Key: $HANSARD_API_KEY" '${url}'`
}

interface RowButtonProps {
  label: string
  /** The name of the row, which follows the label in the accessible name. */
  of?: string
  /** The accessible name, if it is not the label and the name of the row. */
  ariaLabel?: string
  onClick: () => void
}

export function RowButton({ label, of, ariaLabel = `${label} ${of}`, onClick }: RowButtonProps) {
  return (
    <Button variant="default" size="xs" aria-label={ariaLabel} onClick={onClick}>
      {label}
    </Button>
  )
}
/** The part of a paged query that the button needs. */
interface PagedQuery {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
}

type LoadMoreButtonProps = ButtonProps & { query: PagedQuery; children: string }

/** Loads the next page of a list. Hidden if there is none. */
export function LoadMoreButton({ query, children, ...button }: LoadMoreButtonProps) {
  if (!query.hasNextPage) return null
  return (
    <Button
      variant="default"
      {...button}
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {children}
    </Button>
  )
}

interface PaginationProps {
  /** The current page. The first page is 1. */
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}

/** Shows the position in a list, with Previous and Next buttons. Hidden if everything fits on one page. */
export function Pagination({ page, pageSize, total, onPage }: PaginationProps) {
  if (total <= pageSize && page === 1) return null
  const [first, last] = [(page - 1) * pageSize + 1, Math.min(page * pageSize, total)]
  return (
    <Group component="nav" aria-label="Pages" gap="sm">
      <Button variant="default" size="xs" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Text size="sm" className="figures">
        {first <= last ? `${first}–${last}` : 'none'} of {total.toLocaleString('en')}
      </Text>
      <Button variant="default" size="xs" disabled={last >= total} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </Group>
  )
}
