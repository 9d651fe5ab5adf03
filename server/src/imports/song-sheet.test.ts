import { buffer } from 'node:stream/consumers'
import { ZipArchive } from 'archiver'
import { expect, test } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { matchSheets, readSongSheet, type SheetRow } from './song-sheet.ts'

const csv = (text: string) => readSongSheet('sheet.csv', Buffer.from(text))

test('reads the columns of a CSV in any order, case and with any separator', async () => {
  const { rows, problems } = await csv(
    '\uFEFFISRC;Track Title;Artist(s);FILE NAME;Mix Name;Record Label;Genre;Release Date\r\n' +
      'GB-AYE-24-00123;"Sun ""Rise""";Nova;a.wav;Intro Clean;Dusk;House, Techno;31.05.2024\r\n' +
      ';Sunset;Vex;b.wav;;;;2019\r\n',
  )
  expect(problems).toEqual([])
  expect(rows).toEqual<SheetRow[]>([
    {
      row: 2,
      file: 'a.wav',
      values: {
        ...{ artist: 'Nova', title: 'Sun "Rise"', version: 'Intro Clean', label: 'Dusk', isrc: 'GBAYE2400123' },
        ...{ genres: ['House', 'Techno'], year: 2024 },
      },
    },
    { row: 3, file: 'b.wav', values: { artist: 'Vex', title: 'Sunset', year: 2019 } },
  ])
})

test('reads dates and numbers in the cells of an XLSX', async () => {
  const cell = (value: string | number | Date) =>
    value instanceof Date
      ? { value, type: Date, format: 'yyyy-mm-dd' }
      : { value, type: value.constructor as StringConstructor }
  const rows = [
    ['File', 'Title', 'Artist', 'Released'],
    ['a.wav', 1999, 'Nova', new Date('2021-03-04')],
  ]
  const bytes = await writeXlsxFile(rows.map((row) => row.map(cell)) as never).toBuffer()
  expect(await readSongSheet('Promo.XLSX', bytes)).toEqual({
    rows: [{ row: 2, file: 'a.wav', values: { artist: 'Nova', title: '1999', year: 2021 } }],
    problems: [],
  })
})

test('reads the code page of Excel on Windows, and UTF-16', async () => {
  const text = 'file,artist\na.wav,Beyoncé\n'
  const [latin, utf16] = [Buffer.from(text, 'latin1'), Buffer.from(`\uFEFF${text}`, 'utf16le')]
  for (const bytes of [latin, utf16])
    expect((await readSongSheet('sheet.csv', bytes)).rows).toEqual([
      { row: 2, file: 'a.wav', values: { artist: 'Beyoncé' } },
    ])
})

test('reports problems by row and uses the rest of the row', async () => {
  const { rows, problems } = await csv(
    'file,title,isrc,date\n,Lost,,\na.wav,Sunrise,12345,someday\n\nb.wav,Sunset,,2024-01-01\n',
  )
  expect(problems).toEqual([
    { row: 2, message: 'This row has no file name.' },
    { row: 3, message: '“12345” is not a valid ISRC and was ignored. Example: GBAYE2400123.' },
    { row: 3, message: '“someday” is not a valid release date and was ignored. Example: 2024-05-31.' },
  ])
  expect(rows.map(({ row, values }) => [row, values])).toEqual([
    [3, { title: 'Sunrise' }],
    [5, { title: 'Sunset', year: 2024 }],
  ])
})

test.each([
  ['artist,title\nNova,Sunrise\n', /no “file” column/],
  ['file,comment\na.wav,loud\n', /besides “file”/],
  ['', /no “file” column/],
])('does not use a sheet without the columns it needs', async (text, why) => {
  expect(await csv(text)).toEqual({ rows: [], problems: [{ row: 0, message: expect.stringMatching(why) }] })
})

/** Builds a workbook by hand that no program would write. */
async function workbook(sheet: string | Buffer): Promise<Buffer> {
  const zip = new ZipArchive({ zlib: { level: 9 } })
  const parts = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
  }
  for (const [name, content] of Object.entries(parts)) zip.append(content, { name })
  const all = buffer(zip)
  await zip.finalize()
  return all
}

const why = async (name: string, bytes: Buffer) =>
  (await readSongSheet(name, bytes)).problems.map(({ message }) => message).join()

test('refuses sheets that would fill the memory', async () => {
  const bomb = await workbook(Buffer.alloc(60_000_000, ' '))
  expect(bomb.length).toBeLessThan(100_000)
  expect(await why('bomb.xlsx', bomb)).toMatch(/too large/)
  const cell = (at: string) =>
    workbook(`<worksheet><sheetData><row r="1"><c r="${at}" t="n"><v>1</v></c></row></sheetData></worksheet>`)
  expect(await why('far.xlsx', await cell('XFD1048576'))).toMatch(/too large/)
  expect(await why('near.xlsx', await cell('B2'))).toMatch(/no “file” column/)
  expect(await why('long.csv', Buffer.from(`file,title\n${'a,b\n'.repeat(20_001)}`))).toMatch(/more than 20,000 rows/)
  expect(await why('fat.csv', Buffer.alloc(5 * 1024 * 1024 + 1, 'a'))).toMatch(/larger than 5 MB/)
})

test('reports a file that is not a workbook', async () => {
  expect(await why('x.xlsx', Buffer.from('not a zip'))).toMatch(/not an XLSX workbook/)
  const cut = await workbook('<worksheet/>')
  expect(await why('x.xlsx', cut.subarray(0, cut.length / 2))).toMatch(/not an XLSX workbook/)
  expect(await why('x.xlsx', await workbook('<worksheet><sheetData><row'))).not.toBe('')
})

const row = (n: number, file: string, title: string): SheetRow => ({ row: n, file, values: { title } })

test('finds the files of a sheet by path or name, and reports rows that match none, two, or the same file', () => {
  const files = ['Nova - Sunrise.mp3', 'one/a.mp3', 'two/a.mp3', 'two/b.wav']
  const sheet = {
    problems: [],
    rows: [
      row(2, 'nova - sunrise', 'Sunrise'),
      row(3, 'a.mp3', 'Which'),
      row(4, 'TWO\\A.MP3', 'Two'),
      row(5, 'gone.mp3', 'Gone'),
      row(6, './two/a.mp3', 'Again'),
    ],
  }
  const { values, reports } = matchSheets([{ path: 'sheet.csv', sheet }], files)
  expect(Object.fromEntries(values)).toEqual({
    'Nova - Sunrise.mp3': { title: 'Sunrise' },
    'two/a.mp3': { title: 'Two' },
  })
  expect(reports).toEqual([
    {
      path: 'sheet.csv',
      files_described: 2,
      problems: [
        { row: 3, message: '2 files are named “a.mp3”. Add the folder before the name.' },
        { row: 5, message: 'No file “gone.mp3” was found next to the sheet.' },
        { row: 6, message: '“./two/a.mp3” is already described in row 4.' },
      ],
    },
  ])
})

test('prefers the sheet nearest to a file', () => {
  const of = (path: string, title: string) => ({ path, sheet: { problems: [], rows: [row(2, 'b.wav', title)] } })
  const { values } = matchSheets([of('all.csv', 'Far'), of('two/two.csv', 'Near')], ['two/b.wav'])
  expect(values.get('two/b.wav')).toEqual({ title: 'Near' })
})
