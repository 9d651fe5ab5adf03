import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Download, Page, TestInfo } from '@playwright/test'
import * as yauzl from 'yauzl'
import { expect } from './support.ts'

/** Starts a download, and saves it under the file name that the browser suggests. */
export async function saveDownload(
  page: Page,
  info: TestInfo,
  start: () => Promise<void>,
): Promise<{ file: string; download: Download }> {
  const downloadPromise = page.waitForEvent('download')
  await start()
  const download = await downloadPromise
  expect(await download.failure()).toBeNull()
  const file = info.outputPath(download.suggestedFilename())
  await download.saveAs(file)
  return { file, download }
}

export type ZipEntry = { name: string; bytes: Buffer; crc: number }

/** Reads all entries of a zip with a third-party library. */
export async function readZip(file: string): Promise<ZipEntry[]> {
  const zip = await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(file, { lazyEntries: true })
  const streamOf = promisify<yauzl.Entry, Readable>(zip.openReadStream.bind(zip))
  const zipEntries: ZipEntry[] = []
  zip.on('entry', async (entry: yauzl.Entry) => {
    zipEntries.push({ name: entry.fileName, bytes: await buffer(await streamOf(entry)), crc: entry.crc32 })
    zip.readEntry()
  })
  zip.readEntry()
  await once(zip, 'end')
  return zipEntries
}
