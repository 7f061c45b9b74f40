import { Card, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Fragment, type ReactNode } from 'react'
import { NARROW_SCREEN_MEDIA_QUERY } from '../breakpoints.ts'
import { RowCopyMenu, type RowCopyMenuProps } from './row-menu.tsx'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
}

interface DataTableProps<Row> {
  /** Describes the table for screen readers. */
  caption: string
  rows: Row[]
  /** The first column names the row. */
  columns: [Column<Row>, ...Column<Row>[]]
  renderActions?: (row: Row) => ReactNode
  /** The row's menu with values to copy. */
  rowMenu?: (row: Row) => RowCopyMenuProps
  isDimmed?: (row: Row) => boolean
}

/** A table on wide screens, a list of cards with the same values on narrow ones. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const isNarrow = useMediaQuery(NARROW_SCREEN_MEDIA_QUERY, false, {
    getInitialValueInEffect: false,
  })
  return isNarrow ? <CardList {...props} /> : <WideTable {...props} />
}

function WideTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, columns, isDimmed } = props
  const [first, ...otherColumns] = columns
  const hasActions = props.renderActions !== undefined || props.rowMenu !== undefined
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ header }) => (
            <Table.Th key={header} scope="col">
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
          <Table.Tr key={row.id} className={isDimmed?.(row) ? 'row-dimmed' : ''}>
            <Table.Th scope="row" className="break-anywhere">
              {first.cell(row)}
            </Table.Th>
            {otherColumns.map(({ header, cell }) => (
              <Table.Td key={header}>{cell(row)}</Table.Td>
            ))}
            {hasActions && (
              <Table.Td>
                <Actions {...props} row={row} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function CardList<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, columns, isDimmed } = props
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
            <Text component="div" fw={650} className="break-anywhere">
              {first.cell(row)}
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
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {renderActions?.(row)}
      {rowMenu && <RowCopyMenu {...rowMenu(row)} />}
    </Group>
  )
}
