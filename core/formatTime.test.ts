import { describe, expect, it } from 'vitest'
import { formatDate, formatRelativeTime, formatRemaining } from './formatTime.ts'

const minute = 60
const hour = 3_600
const day = 86_400
/** 18 November 2026, 11:06:40 UTC. */
const now = 1_795_000_000

describe('how long ago something was', () => {
  it.each([
    [-5, '0s ago'],
    [0, '0s ago'],
    [59.9, '59s ago'],
    [minute, '1m ago'],
    [hour - 1, '59m ago'],
    [hour, '1h ago'],
    [day - 1, '23h ago'],
    [day, '1d ago'],
    [7 * day - 1, '6d ago'],
    [7 * day, '7d ago'],
    [7 * day + 1, 'Nov 11, 2026'],
    [8 * day, 'Nov 10, 2026'],
  ])('%d seconds read %s', (age, text) => expect(formatRelativeTime(now - age, now)).toBe(text))

  it('is no figure when the moment is none', () => {
    expect(formatRelativeTime(Number.NaN, now)).toBe('N/A')
    expect(formatRelativeTime(-1e20, now)).toBe('N/A')
  })
})

describe('a day', () => {
  it.each([
    [Date.UTC(2031, 2, 1) / 1000, 'Mar 1, 2031'],
    [Date.UTC(2026, 10, 30, 23, 59, 59) / 1000, 'Nov 30, 2026'],
    [Date.UTC(2026, 11, 1) / 1000, 'Dec 1, 2026'],
    [Number.NaN, 'N/A'],
    [8.64e12 + 1, 'N/A'],
  ])('%d reads %s', (atSeconds, text) => expect(formatDate(atSeconds)).toBe(text))
})

describe('the time that a boost still lasts', () => {
  it.each([
    [-1, 'Expired'],
    [0, 'Expired'],
    [Number.NaN, 'Expired'],
    [1, '1m'],
    [59, '1m'],
    [2 * minute - 1, '1m'],
    [2 * minute, '2m'],
    [hour - 1, '59m'],
    [hour, '1h'],
    [hour + 59, '1h'],
    [hour + minute, '1h 1m'],
    [23 * hour + 5 * minute, '23h 5m'],
    [day, '24h'],
    [3 * day + 30 * minute, '72h 30m'],
  ])('%d seconds read %s', (seconds, text) => expect(formatRemaining(seconds)).toBe(text))
})
