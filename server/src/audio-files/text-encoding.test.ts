import { describe, expect, test } from 'vitest'
import { decodeAs, detectEncoding, type TextEncoding } from './text-encoding.ts'

/** Encodes by searching the decoder's table, because Node.js can only encode UTF-8. */
function encode(encoding: TextEncoding, text: string): Buffer {
  const table = new Map<string, number[]>()
  for (let byte = 0; byte < 256; byte++) table.set(decodeAs(encoding, Buffer.from([byte])), [byte])
  const isDouble = encoding === 'japanese' || encoding === 'korean' || encoding === 'chinese'
  for (let lead = 0x81; isDouble && lead < 0xff; lead++)
    for (let trail = 0x40; trail < 0xff; trail++) {
      const character = decodeAs(encoding, Buffer.from([lead, trail]))
      if ([...character].length === 1 && !table.has(character)) table.set(character, [lead, trail])
    }
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character)
      if (!bytes) throw new Error(`${character} is not part of ${encoding}`)
      return bytes
    }),
  )
}

const detect = (encoding: TextEncoding, ...texts: string[]) =>
  detectEncoding(texts.map((text) => encode(encoding, text)))

describe('genuine Latin-1 text', () => {
  test.each([
    'Beyoncé',
    'Motörhead',
    'Señorita',
    'Sigur Rós',
    'Ágætis byrjun',
    'Björk',
    'Mötley Crüe',
    'Blue Öyster Cult',
    'Queensrÿche',
    'Tiësto',
    'Róisín Murphy',
    'Céline Dion',
    'Édith Piaf',
    'Où es-tu',
    'À la folie',
    'Été',
    'Créée à deux',
    'Für Elise',
    'Die Ärzte',
    'Größenwahn',
    'Straße',
    'Übermensch',
    'Øde Ø',
    'ÆØÅ',
    'ÅÄÖ',
    'äöü',
    'ÄÖÜ',
    'ööö',
    'Öö',
    'Jäääär',
    'Jää-äär',
    'Yö',
    'Pää',
    'Hääyöaie',
    'Måneskin',
    'Håkan Hellström',
    'São Paulo',
    'Coração',
    'Ação e reação',
    'Ñu',
    'El Niño',
    '¿Qué?',
    '¡Olé!',
    'Þú',
    'Þórður',
    'Röyksopp',
    'Ólafur Arnalds',
    'Þeyr',
    'Þ',
    'É',
    'ß',
    '©®',
    '½ × 2 = 1',
    'N° 1',
    'Mój świat'.replace('ś', 's'),
    'Grażyna'.replace('ż', 'z'),
    'Barış Manço'.replace('ş', 's').replace('ı', 'i'),
    'Müslüm Gürses',
    'Çok güzel',
    'Gönül Dağı'.replace('ğ', 'g').replace('ı', 'i'),
    'Kölsch',
    'Âme',
    'Rüfüs Du Sol',
    'Ásgeir – Dýrð í dauðaþögn',
    'ÐÞÆÖ',
  ])('stays as it is: %s', (name) => {
    expect(detect('western', name)).toBe('western')
    expect(detect('western', 'DJ Test', `${name} (Original Mix)`, name.toLowerCase())).toBe('western')
  })

  test('stays as it is with typographic quotes and dashes of Windows-1252', () => {
    for (const text of ['Don’t', '“Heroes”', 'It’s “Over” – Don’t', '‘’“”', 'Œuvre', '€…', 'Žižek & Šuman'])
      expect(detect('western', text)).toBe('western')
  })
})

describe('Cyrillic', () => {
  test.each([
    ['Кино', 'Группа крови'],
    ['ДДТ', 'Осень'],
    ['ДДТ'],
    ['ЛСП'],
    ['Баста'],
    ['Тату', 'Нас не догонят (Remix)'],
    ['Сплин – Выхода нет'],
    ['DJ Грув', 'Ноктюрн'],
    ['Би-2', 'Полковнику никто не пишет'],
    ['МОЛЧАТ ДОМА', 'СУДНО'],
    ['Океан Ельзи', 'Обійми'],
    ['Скрябін', 'Люди, як кораблі'],
    ['Щурците', 'Клетка'],
    ['Бајага и инструктори'],
    ['Zемфира', 'Искала'],
    ['Ленинград', 'Экспонат', 'www.example.org'],
    ['Лучшие песни', 'Beyoncé'.replace('é', 'e')],
  ])('is detected: %s', (...texts) => {
    expect(detect('cyrillic', ...texts)).toBe('cyrillic')
  })
})

describe('Japanese', () => {
  test.each([
    ['宇多田ヒカル', 'First Love'],
    ['椎名林檎'],
    ['浜崎あゆみ'],
    ['坂本龍一', '戦場のメリークリスマス'],
    ['きゃりーぱみゅぱみゅ', 'PONPONPON'],
    ['パフューム', 'ポリリズム'],
    ['山下達郎', 'クリスマス・イブ'],
    ['さくら'],
    ['久石譲', 'Summer'],
    ['電気グルーヴ', '虹'],
    ['中島みゆき', '糸'],
    ['米津玄師', 'Lemon (Remix)'],
  ])('is detected: %s', (...texts) => {
    expect(detect('japanese', ...texts)).toBe('japanese')
  })
})

test('UTF-8 in a field declared as Latin-1 is detected', () => {
  for (const text of ['Beyoncé', 'Кино', '椎名林檎', 'Don’t'])
    expect(detectEncoding([Buffer.from('DJ'), Buffer.from(text)])).toBe('utf8')
})

describe('other encodings are not mistaken for Cyrillic or Japanese', () => {
  test.each<[TextEncoding, string[]]>([
    ['greek', ['Άννα Βίσση', 'Δώδεκα']],
    ['greek', ['ΑΓΑΠΗ', 'ΕΛΛΑΔΑ']],
    ['greek', ['αγάπη']],
    ['greek', ['Χάρις Αλεξίου']],
    ['greek', ['ΜΟΥΣΙΚΗ']],
    ['central_european', ['Żółć']],
    ['central_european', ['Kult', 'Gdy nie ma dzieci', 'Łąki łan']],
    ['central_european', ['Zażółć gęślą jaźń']],
    ['central_european', ['Šťastný člověk', 'Žlutý pes']],
    ['turkish', ['ışığı', 'İşığın']],
    ['turkish', ['Barış Manço', 'Gülpembe', 'Şöyle böyle']],
    ['korean', ['방탄소년단', '봄날']],
    ['korean', ['아이유']],
    ['korean', ['소녀시대', '다시 만난 세계']],
    ['chinese', ['周杰伦', '青花瓷']],
    ['chinese', ['邓丽君', '月亮代表我的心']],
    ['chinese', ['王菲']],
    ['chinese', ['张学友', '吻别']],
  ])('%s: %s', (encoding, texts) => {
    expect(detect(encoding, ...texts)).toBe('western')
  })

  test('Hebrew, Arabic and Thai', () => {
    const hebrew = Buffer.from('f9ecf7ee20e0e5e9e9e4e1', 'hex')
    const arabic = Buffer.from('e3cde3cf20dae1ed', 'hex')
    const thai = Buffer.from('e0bead a1c3d8a7e0b7be'.replaceAll(' ', ''), 'hex')
    for (const text of [hebrew, arabic, thai]) expect(detectEncoding([text])).toBe('western')
  })
})
