import { Card, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Fragment, type ReactNode } from 'react'
import { NARROW } from './breakpoints.ts'

export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
}

interface DataTableProps<Row> {
  /** What the table holds, for those who do not see it. */
  caption: string
  rows: Row[]
  /** The first column names the row. */
  columns: [Column<Row>, ...Column<Row>[]]
  renderActions?: (row: Row) => ReactNode
  isFaded?: (row: Row) => boolean
}

/** A table where there is room, a list of cards with the same facts where there is not. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  return isNarrow ? <CardList {...props} /> : <WideTable {...props} />
}

function WideTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, columns, renderActions, isFaded } = props
  const [first, ...others] = columns
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ head }) => (
            <Table.Th key={head} scope="col">
              {head}
            </Table.Th>
          ))}
          {renderActions && (
            <Table.Th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id} className={isFaded?.(row) ? 'row-faded' : ''}>
            <Table.Th scope="row" className="break-anywhere">
              {first.cell(row)}
            </Table.Th>
            {others.map(({ head, cell }) => (
              <Table.Td key={head}>{cell(row)}</Table.Td>
            ))}
            {renderActions && <Table.Td ta="end">{renderActions(row)}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function CardList<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, columns, renderActions, isFaded } = props
  const [first, ...others] = columns
  return (
    <Stack component="ul" className="plain-list" aria-label={caption} gap="sm">
      {rows.map((row) => (
        <Card key={row.id} component="li" withBorder className={isFaded?.(row) ? 'row-faded' : ''}>
          <Stack gap="sm">
            <Text component="div" fw={650} className="break-anywhere">
              {first.cell(row)}
            </Text>
            <dl className="facts">
              {others.map(({ head, cell }) => (
                <Fragment key={head}>
                  <dt>{head}</dt>
                  <dd>{cell(row)}</dd>
                </Fragment>
              ))}
            </dl>
            {renderActions?.(row)}
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}
