//! Screenshots: reads enough of PNG to see whether one is blank, light or dark.

use std::io::Read;

use flate2::read::ZlibDecoder;

pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// Brightness of each pixel, 0 to 255.
    pub grey: Vec<u8>,
}

impl Picture {
    /// Reads a PNG that is not interlaced, RGB or RGBA.
    pub fn of(png: &[u8]) -> Picture {
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
        let (width, height, channels) = (number(16), number(20), if png[25] == 6 { 4 } else { 3 });
        assert!(
            png[24] == 8 && matches!(png[25], 2 | 6) && png[28] == 0,
            "8 bits, in colour, not interlaced"
        );
        let (mut packed, mut at) = (Vec::new(), 8);
        while at < png.len() {
            let length = number(at);
            if &png[at + 4..at + 8] == b"IDAT" {
                packed.extend_from_slice(&png[at + 8..at + 8 + length]);
            }
            at += length + 12;
        }
        let mut raw = Vec::new();
        ZlibDecoder::new(&packed[..]).read_to_end(&mut raw).unwrap();
        let mut above = vec![0u8; width * channels];
        let mut grey = Vec::with_capacity(width * height);
        for line in raw.chunks_exact(1 + width * channels) {
            let line = unfiltered(line[0], &line[1..], &above, channels);
            let sum = |pixel: &[u8]| pixel[..3].iter().map(|&of| u32::from(of)).sum::<u32>();
            grey.extend(line.chunks_exact(channels).map(|pixel| (sum(pixel) / 3) as u8));
            above = line;
        }
        assert_eq!(grey.len(), width * height);
        Picture { width, height, grey }
    }

    pub fn brightness(&self) -> f64 {
        self.grey.iter().map(|&of| f64::from(of)).sum::<f64>() / self.grey.len() as f64
    }

    /// Share of pixels that are not of the most frequent brightness.
    pub fn drawn(&self) -> f64 {
        let mut counts = [0usize; 256];
        self.grey.iter().for_each(|&of| counts[usize::from(of)] += 1);
        1.0 - counts.into_iter().max().unwrap_or(0) as f64 / self.grey.len() as f64
    }
}

fn unfiltered(filter: u8, line: &[u8], above: &[u8], step: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(line.len());
    for (at, &byte) in line.iter().enumerate() {
        let before = |of: &[u8]| if at >= step { of[at - step] } else { 0 };
        let (left, up, corner) = (before(&out), above[at], before(above));
        let guess = match filter {
            0 => 0,
            1 => left,
            2 => up,
            3 => u8::midpoint(left, up),
            _ => paeth(left, up, corner),
        };
        out.push(byte.wrapping_add(guess));
    }
    out
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(up) - i16::from(corner);
    let far = |of: u8| (guess - i16::from(of)).abs();
    if far(left) <= far(up) && far(left) <= far(corner) {
        left
    } else if far(up) <= far(corner) {
        up
    } else {
        corner
    }
}
