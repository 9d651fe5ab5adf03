import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, getDemoSongs, getFirst, measureLoudnessOf, test } from './support.ts'

/** Another site with this single page. Browsers refuse to frame a local address in a page that has none. */
async function openSite(html: string) {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('another site embeds a song, and its visitor hears the clip', async ({ page, request, baseURL }) => {
  const song = getFirst(await getDemoSongs(1))
  const url = `${baseURL}/song/${song.entity_id}`
  const shared = await (await request.get(url)).text()
  const discovery = /type="application\/json\+oembed" href="([^"]+)"/.exec(shared)?.[1] ?? ''
  const reply: { title: string; html: string } = await (await request.get(discovery)).json()
  expect(reply.title).toBe(`${song.title} by ${song.artist}`)

  await using blog = await openSite(`<h1>A blog about music</h1>${reply.html}`)
  await page.goto(blog.url)
  const player = page.frameLocator('iframe')
  await expect(player.getByRole('link', { name: song.title, exact: true })).toHaveAttribute('href', url)
  await player.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(player.getByRole('progressbar', { name: 'Position' })).not.toHaveAttribute('aria-valuenow', '0')
  const audio = await player.locator('audio').evaluateHandle((element: HTMLAudioElement) => element)
  expect(await measureLoudnessOf(audio)).toBeGreaterThan(0.01)
  await player.getByRole('button', { name: 'Pause' }).click()
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})
