// A narrow table has room for one of two columns: the market cap, or the volume when that is what the table is sorted by.

export const volumeLook = 'max-[800px]:hidden max-[800px]:in-data-[sort=volumeDesc]:table-cell'
export const capLook = 'max-[800px]:in-data-[sort=volumeDesc]:hidden'
