export type Table = {
  columns: string[]
  uniqueKeys: { name: string; columns: string[] }[]
  foreignKeys: { name: string; columns: string[]; table: string; targetColumns: string[] }[]
}
export type TableLists = { distributed: string[]; reference: string[]; local: string[] }

export function parseSchema(text: string): Map<string, Table>
export function findProblems(tables: Map<string, Table>, lists?: TableLists): { table: string; problem: string }[]
export function findListErrors(tables: Map<string, Table>, lists?: TableLists): string[]
export function describeDistribution(tables: Map<string, Table>, lists?: TableLists): string
