import { expect, test } from 'vitest'
import { measureCpu } from '../../test/cpu.ts'
import { aMail } from '../../test/mails.ts'
import { textOf } from '../platform/rich-text.ts'
import { parseMail, UnreadableMail } from './mail-parsing.ts'

const SENDER_AND_RECIPIENT = { from: 'kwame@example.test', to: 'help+1001.abc@pool.example' }
/**
 * Parsing that takes linear time stays far below this factor for any content; quadratic time leads to factors of
 * hundreds.
 */
const MAX_SLOWDOWN_FACTOR = 20
const read = (name: string) => parseMail(aMail(name, SENDER_AND_RECIPIENT))

/** The non-empty lines. */
const lines = (html: string): string => textOf(html).replace(/\n+/g, '\n')

test.each([
  ['gmail', 'It works with Firefox, thank you!\nKwame', 'Please try it once more with another browser.'],
  ['gmail-html-alone', 'Still stops.\nSame place.', 'Please try it once more.'],
  ['outlook-desktop', 'Hi,\nit was my firewall. All good now.\nRegards,\nKwame', 'Please try it once more'],
  ['outlook-desktop-html', 'Hallo,\nes war meine Firewall.', 'Von: Night Shift'],
  ['outlook-web', 'Yes, it happens with every song.\nKwame', 'Does it happen with every song?'],
  ['outlook-hungarian', 'Igen, minden dalnál.', 'Does it happen with every song?'],
  ['outlook-classic', 'Thanks, solved.', 'Please try it once more.'],
  ['outlook-phone', 'Works now\nGet Outlook for iOS<https://aka.ms/o0ukef>', 'Please try it once more.'],
  ['outlook-german', 'Guten Tag,\nes klappt.', 'Bitte noch einmal versuchen.'],
  ['apple-mail', 'It is version 18.2, on a Mac.\nKwame', 'Which version of Safari is it?'],
  ['iphone', 'Yes please\nSent from my iPhone', 'Shall we give you another download?'],
  ['thunderbird-below', 'Firefox.\n--\nKwame\nResident at Club Nine', 'Which browser is it?'],
  ['gmail-german', 'Danke, es geht wieder!', 'Please try it once more'],
  ['gmail-french', 'Merci, ça marche.', 'Réessayez, svp.'],
  ['gmail-japanese', 'ありがとうございます。\n直りました。', 'もう一度お試しください。'],
  ['iso-2022-jp', 'まだ止まります。', 'もう一度お試しください。'],
  ['yahoo', 'No, only FLAC.', 'Also with MP3?'],
  ['proton', 'Done.\nSent with Proton Mail secure email.', 'Please send a picture.'],
])('%s: separates the sender’s text from the quote', async (name, words, quoted) => {
  const mail = await read(name)
  expect(lines(mail.details)).toBe(words)
  expect(lines(mail.quoted)).toContain(quoted)
  expect(lines(mail.details)).not.toContain(quoted)
})

test.each([
  ['windows-1252', 'Größer als 5 € – “sehr” schön.'],
  ['quoted-printable', 'Café au lait, and a line that is one line = equal'],
  ['signed', 'Signed, but short.'],
  ['without-an-id', 'No id, no trouble.'],
])('%s is decoded correctly', async (name, words) => {
  const mail = await read(name)
  expect([lines(mail.details), mail.quoted, mail.files]).toEqual([words, '', []])
})

test('keeps quotes between the answers to them, and joins softly broken lines', async () => {
  const { details, quoted } = await read('thunderbird-inline')
  expect(quoted).toBe('')
  expect(lines(details)).toContain(
    '> Which browser is it?\nFirefox 150, and this is a long line that my mail program has broken softly in two.',
  )
  expect(lines(details)).toMatch(/> And which song\?\nAll of them\.$/)
})

test.each(['forwarded', 'forwarded-by-gmail'])(
  '%s without a comment: the forwarded text is the message',
  async (name) => {
    expect(lines((await read(name)).details)).toContain('Here is the promo you asked for.')
  },
)

test('text that only begins like an attribution belongs to the sender', async () => {
  const words = 'Am 14. Mai schrieb mir die Bank Folgendes:\nIhre Karte ist abgelaufen.'
  expect(await parseMail(Buffer.from(`Subject: x\r\n\r\n${words}`))).toMatchObject({
    details: '<p>Am 14. Mai schrieb mir die Bank Folgendes:<br />Ihre Karte ist abgelaufen.</p>',
    quoted: '',
  })
})

test('nothing in the HTML of an email runs, loads or submits anything', async () => {
  const { details } = await read('script')
  expect(lines(details)).toBe('Look here and there')
  expect(details).toContain('<a href="https://example.com/x"')
  expect(details).not.toMatch(/script|javascript|onerror|onload|svg|iframe|img|form|style/i)
})

test('a reply that only contains quotes is empty, unless it has attachments', async () => {
  expect(await read('only-quotes')).toMatchObject({ details: '', files: [] })
  const { details, files } = await read('files-alone')
  expect(lines(details)).toBe('(attachments only)')
  expect(files.map(({ name }) => name)).toEqual(['screen.png'])
})

test('keeps pictures in the text but not those in the quote; an attached email is a file', async () => {
  const { details, files } = await read('pictures')
  expect(lines(details)).toBe('This is what I see:')
  expect(files.map(({ name }) => name)).toEqual(['Größe.txt', 'message-2.eml', 'shot.png'])
  expect(files[0]?.bytes.toString()).toBe('a log')
  expect(files[1]?.bytes.toString()).toContain('Words of someone else.')
})

test('reads files packed by Outlook like any others', async () => {
  expect((await read('winmail')).files.map(({ name }) => name)).toEqual(['winmail.dat'])
})

test('reads a malformed mail as far as possible', async () => {
  expect((await read('broken-mime')).files).toEqual([])
})

/** Returns an email with these attachments. */
function mailWithFiles(files: { name: string; bytes: number }[], words = 'See these.'): Buffer {
  const parts = files.map(
    ({ name, bytes }) =>
      `--m\r\nContent-Type: application/x-thing; name="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUJD'.repeat(Math.ceil(bytes / 3))}\r\n`,
  )
  return Buffer.from(
    `Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\n${words}\r\n${parts.join('')}--m--\r\n`,
  )
}

const MB = 1024 * 1024

test('names the files that are too large or too many', async () => {
  const small = Array.from({ length: 9 }, (_, n) => ({ name: `${n + 1}.bin`, bytes: 30 }))
  const { details, files } = await parseMail(
    mailWithFiles([{ name: 'plan <b>.wav', bytes: 12 * MB }, ...small, { name: 'none', bytes: 0 }]),
  )
  expect(files.map(({ name }) => name)).toEqual(small.slice(0, 8).map(({ name }) => name))
  expect(lines(details)).toBe(
    [
      'See these.',
      '“plan <b>.wav” (12 MB) was too large and was not accepted.',
      '“9.bin” (1 kB) was not accepted: the limit is 8 files per email.',
      '“none” (empty) was not accepted.',
    ].join('\n'),
  )
})

test('accepts files of up to ten megabytes', async () => {
  const { files } = await parseMail(
    mailWithFiles([
      { name: 'a', bytes: 10 * MB - 2 },
      { name: 'b', bytes: 10 * MB + 1 },
    ]),
  )
  expect(files.map(({ name, bytes }) => [name, bytes.length])).toEqual([['a', 10 * MB - 1]])
})

test('truncates a very long message and attaches its full text', async () => {
  const { details, files } = await parseMail(Buffer.from(`Subject: x\r\n\r\n${'many words '.repeat(10_000)}`))
  expect(textOf(details).length).toBeLessThan(51_000)
  expect(textOf(details)).toMatch(/\(Message truncated\. See whole-mail\.txt for the full text\.\)$/)
  expect(files.map(({ name, bytes }) => [name, bytes.length])).toEqual([['whole-mail.txt', 109_999]])
})

test('shows an email that consists of tags as plain text, to keep the ticket page fast', async () => {
  const tags = '<p><b>a</b></p>'.repeat(12_000)
  const html = `<p>Hello</p>${tags}<blockquote type="cite"><p>On 1 May 2026 Night Shift wrote:</p>${tags}</blockquote>`
  const mail = `Subject: x\r\nContent-Type: text/html\r\n\r\n${html}`
  const { details, quoted, files } = await parseMail(Buffer.from(mail))
  for (const shown of [details, quoted]) expect(shown.split('<').length).toBeLessThan(12_000)
  expect(details).toContain('Hello')
  expect(quoted).toContain('Night Shift')
  expect(files.map(({ name }) => name)).toEqual(['whole-mail.html'])
})

test('refuses an email built to exhaust the parser', async () => {
  const lines = Buffer.from(`Subject: x\r\n\r\n${'\r\n'.repeat(700_001)}`)
  await expect(parseMail(lines)).rejects.toThrow(UnreadableMail)
  const nested = Array.from(
    { length: 60 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  )
  await expect(parseMail(Buffer.from(nested.join('')))).rejects.toThrow(UnreadableMail)
})

test.each([
  ['spaces', `x${' '.repeat(300_000)}x`],
  ['attributions', 'On 1 a 2 wrote: '.repeat(20_000)],
  ['a line that nearly is an attribution', `${'1 '.repeat(100_000)}:`],
  ['marks', '>\n'.repeat(50_000)],
  ['words of the Dutch', 'Op 1 schreef\n'.repeat(25_000)],
])('parsing %s takes hardly longer than parsing plain text', async (_, text) => {
  const measureParsing = (body: string) => measureCpu(() => parseMail(Buffer.from(`Subject: x\r\n\r\n${body}`)))
  const plain = await measureParsing('one two three\n'.repeat(25_000))
  expect((await measureParsing(text)) / plain).toBeLessThan(MAX_SLOWDOWN_FACTOR)
})
