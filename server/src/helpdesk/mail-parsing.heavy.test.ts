import { expect, test } from 'vitest'
import { measureCpu } from '../../test/cpu.ts'
import { aMail } from '../../test/mails.ts'
import { textOf } from '../platform/rich-text.ts'
import { parseMail, UnreadableMail } from './mail-parsing.ts'

const SENDER_AND_RECIPIENT = { from: 'kwame@example.test', to: 'help+1001.abc@pool.example' }
/**
 * What takes time in its length, whatever it is made of, stays far below; what takes it in the square goes to hundreds.
 */
const MAX_SLOWDOWN_FACTOR = 20
const read = (name: string) => parseMail(aMail(name, SENDER_AND_RECIPIENT))

/** The lines that have words, whatever is between them. */
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
])('%s: what was written is told from what was quoted', async (name, words, quoted) => {
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
])('%s is read as it was written', async (name, words) => {
  const mail = await read(name)
  expect([lines(mail.details), mail.quoted, mail.files]).toEqual([words, '', []])
})

test('answers between the lines of a quote keep what they answer, and lines that were broken softly are whole', async () => {
  const { details, quoted } = await read('thunderbird-inline')
  expect(quoted).toBe('')
  expect(lines(details)).toContain(
    '> Which browser is it?\nFirefox 150, and this is a long line that my mail program has broken softly in two.',
  )
  expect(lines(details)).toMatch(/> And which song\?\nAll of them\.$/)
})

test.each(['forwarded', 'forwarded-by-gmail'])(
  '%s without a word of one’s own: what was sent on is what was written',
  async (name) => {
    expect(lines((await read(name)).details)).toContain('Here is the promo you asked for.')
  },
)

test('words that only begin as an attribution does are the writer’s own', async () => {
  const words = 'Am 14. Mai schrieb mir die Bank Folgendes:\nIhre Karte ist abgelaufen.'
  expect(await parseMail(Buffer.from(`Subject: x\r\n\r\n${words}`))).toMatchObject({
    details: '<p>Am 14. Mai schrieb mir die Bank Folgendes:<br />Ihre Karte ist abgelaufen.</p>',
    quoted: '',
  })
})

test('nothing of a mail’s HTML runs, loads or sends anything', async () => {
  const { details } = await read('script')
  expect(lines(details)).toBe('Look here and there')
  expect(details).toContain('<a href="https://example.com/x"')
  expect(details).not.toMatch(/script|javascript|onerror|onload|svg|iframe|img|form|style/i)
})

test('a reply of quotes alone is empty, unless it has attachments', async () => {
  expect(await read('only-quotes')).toMatchObject({ details: '', files: [] })
  const { details, files } = await read('files-alone')
  expect(lines(details)).toBe('(attachments only)')
  expect(files.map(({ name }) => name)).toEqual(['screen.png'])
})

test('pictures among the words come along, those of the quote do not; a mail that was attached is a file', async () => {
  const { details, files } = await read('pictures')
  expect(lines(details)).toBe('This is what I see:')
  expect(files.map(({ name }) => name)).toEqual(['Größe.txt', 'message-2.eml', 'shot.png'])
  expect(files[0]?.bytes.toString()).toBe('a log')
  expect(files[1]?.bytes.toString()).toContain('Words of someone else.')
})

test('what Outlook packs up is a file like any other', async () => {
  expect((await read('winmail')).files.map(({ name }) => name)).toEqual(['winmail.dat'])
})

test('reads a malformed mail as far as possible', async () => {
  expect((await read('broken-mime')).files).toEqual([])
})

/** A mail with these files. */
function attachFilesToReplies(files: { name: string; bytes: number }[], words = 'See these.'): Buffer {
  const parts = files.map(
    ({ name, bytes }) =>
      `--m\r\nContent-Type: application/x-thing; name="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUJD'.repeat(Math.ceil(bytes / 3))}\r\n`,
  )
  return Buffer.from(
    `Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\n${words}\r\n${parts.join('')}--m--\r\n`,
  )
}

const MB = 1024 * 1024

test('what is too large or too much is named, not lost without a word', async () => {
  const small = Array.from({ length: 9 }, (_, n) => ({ name: `${n + 1}.bin`, bytes: 30 }))
  const { details, files } = await parseMail(
    attachFilesToReplies([{ name: 'plan <b>.wav', bytes: 12 * MB }, ...small, { name: 'none', bytes: 0 }]),
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

test('the largest file that is taken has ten megabytes', async () => {
  const { files } = await parseMail(
    attachFilesToReplies([
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

test('shows a mail of nothing but tags as plain text, to keep the ticket page fast', async () => {
  const tags = '<p><b>a</b></p>'.repeat(12_000)
  const html = `<p>Hello</p>${tags}<blockquote type="cite"><p>On 1 May 2026 Night Shift wrote:</p>${tags}</blockquote>`
  const mail = `Subject: x\r\nContent-Type: text/html\r\n\r\n${html}`
  const { details, quoted, files } = await parseMail(Buffer.from(mail))
  for (const shown of [details, quoted]) expect(shown.split('<').length).toBeLessThan(12_000)
  expect(details).toContain('Hello')
  expect(quoted).toContain('Night Shift')
  expect(files.map(({ name }) => name)).toEqual(['whole-mail.html'])
})

test('a mail that is made to be read for ever is not read', async () => {
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
])('a text of %s takes not much more to read than one of plain words', async (_, text) => {
  const parseGate = (body: string) => measureCpu(() => parseMail(Buffer.from(`Subject: x\r\n\r\n${body}`)))
  const plain = await parseGate('one two three\n'.repeat(25_000))
  expect((await parseGate(text)) / plain).toBeLessThan(MAX_SLOWDOWN_FACTOR)
})
