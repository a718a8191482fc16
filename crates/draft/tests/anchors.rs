//! Every hex that a rulebook names holds on the boards: the place in its hex, the hexside of its kind, the edge an
//! edge. One test for each line of `theatre/anchors`, named for the place.
//!
//! Misprints, with the reading chosen: Land Without End 8.7 gives Odessa as 2143, which is sea; it is 2141 (4.2, 8.5).
//! Its 7.14 gives the second Sivash hexside as 2944/2945; it is 2845/2944, as in the two other games. Last Stand 10.16
//! gives an edge "1635 to 3128"; it is the bottom edge from 1635 to 3135 and then the east edge up to 3128. Stalingrad
//! '42 5.5.7 joins 6424 and 6523 by a ferry although they do not touch; it is a link. The set-up card of Proud Monster
//! Deluxe prints Rzhev as 4316; it is 3616 (errata of 2018).

mod common;

use common::{anchor, board, every_line_has_a_test};

macro_rules! anchors {
    ($($test:ident: $game:literal, $hex:literal, $expect:literal;)*) => {
        $(
            #[test]
            fn $test() {
                anchor(board($game), $hex, $expect);
            }
        )*

        const TESTED: &[(&str, &str)] = &[$(($game, $hex)),*];
    };
}

#[test]
fn no_line_of_the_anchor_files_goes_without_a_test() {
    every_line_has_a_test(TESTED);
}

anchors! {
    pm_4201n_leningrad: "pm", "4201N", "place Leningrad";
    pm_2512s_odessa: "pm", "2512S", "place Odessa";
    pm_2817n_minsk: "pm", "2817N", "place Minsk";
    pm_2919s_sevastopol: "pm", "2919S", "place Sevastopol";
    pm_5017n_moscow: "pm", "5017N", "place Moscow";
    pm_5116n_moscow: "pm", "5116N", "place Moscow";
    pm_2705n_riga: "pm", "2705N", "place Riga";
    pm_4100n_oranienbaum: "pm", "4100N", "place Oranienbaum";
    pm_4022s_novorossisk: "pm", "4022S", "place Novorossisk";
    pm_4921n_tula: "pm", "4921N", "place Tula";
    pm_4300n_leningrad_fort_line: "pm", "4300N", "zone fort-leningrad";
    pm_4301n_leningrad_approaches: "pm", "4301N", "zone leningrad-approaches";
    pm_4401n_leningrad_approaches_ladoga_shore: "pm", "4401N", "zone leningrad-approaches";
    pm_4500n_leningrad_approaches_ladoga_shore: "pm", "4500N", "zone leningrad-approaches";
    pm_3801n_luga_line_northern_portion_west_end: "pm", "3801N", "zone fort-luga-north";
    pm_4303n_luga_line_northern_portion_east_end: "pm", "4303N", "zone fort-luga-north";
    pm_4003n_luga_line_southern_portion_north_end: "pm", "4003N", "zone fort-luga-south";
    pm_4105n_luga_line_southern_portion_south_end: "pm", "4105N", "zone fort-luga-south";
    pm_3215s_sivash_north_shore: "pm", "3215S", "side 3215S/3216S strait";
    pm_3216s_sivash_perekop_hex: "pm", "3216S", "side 3216S/3315S strait";
    pm_3315s_sivash_north_east_shore: "pm", "3315S", "side 3216S/3315S strait";
    pm_3719s_kerch_strait_crimean_side: "pm", "3719S", "side 3719S/3820S strait";
    pm_3819s_kerch_strait_crimean_side: "pm", "3819S", "side 3819S/3820S strait";
    pm_3820s_kerch_strait_taman_side: "pm", "3820S", "side 3819S/3820S strait";
    pm_2817s_crimean_south_coast_west_end: "pm", "2817S", "zone invasion-coast";
    pm_3620s_crimean_south_coast_east_end: "pm", "3620S", "zone invasion-coast";
    pm_4000n_gas_line_north_end: "pm", "4000N", "border GAS Line 4000N/4100N";
    pm_3715s_gas_line_south_end: "pm", "3715S", "border GAS Line 3715S/3815S";
    pm_3815s_gas_line_south_end: "pm", "3815S", "border GAS Line 3715S/3815S";
    pm_1906n_zomo: "pm", "1906N", "zone zomo-germany";
    pm_1025n_zomo: "pm", "1025N", "zone zomo-germany";
    pm_1026n_zomo: "pm", "1026N", "zone zomo-hungary";
    pm_1908n_zomo_north_end_of_the_northern_okh_area: "pm", "1908N", "zone okh-north-access";
    pm_1913n_zomo_suwalki_salient: "pm", "1913N", "zone zomo-cut-off";
    pm_2013n_zomo_suwalki_salient: "pm", "2013N", "zone zomo-cut-off";
    pm_2014n_zomo_suwalki_salient: "pm", "2014N", "zone zomo-cut-off";
    pm_2115s_zomo: "pm", "2115S", "zone zomo-romania";
    pm_1403s_zomo: "pm", "1403S", "zone okh-south-access";
    pm_2006n_soviet_border_north_end: "pm", "2006N", "zone border-full";
    pm_1703s_soviet_border_south_end_of_full_garrison: "pm", "1703S", "zone border-full";
    pm_1804s_soviet_border_with_romania_north_end: "pm", "1804S", "zone border-alternate";
    pm_2114s_soviet_border_with_romania_south_end: "pm", "2114S", "zone border-alternate";
    pm_2210n_frontier_zone_example: "pm", "2210N", "zone frontier";
    pm_2310n_interior_zone_example: "pm", "2310N", "zone interior";
    pm_22xxn_s_hexrow_22_east_limit_of_the_frontier_zone: "pm", "22xxN/S", "column 22 frontier";
    pm_23xxn_s_hexrow_23_west_limit_of_the_interior_zone: "pm", "23xxN/S", "column 23 interior";
    pm_42xxn_s_hexrow_42_leningrad_down_through_kharkov: "pm", "42xxN/S", "column 42 interior";
    pm_60xxn_s_hexrow_60_eastern_map_edge: "pm", "60xxN/S", "rim 60";
    pm_2407n_attack_example: "pm", "2407N", "touch 2407N/2406N 2407N/2506N";
    pm_2406n_attack_example: "pm", "2406N", "touch 2406N/2407N";
    pm_2506n_attack_example: "pm", "2506N", "touch 2506N/2407N";
    pm_2608n_river_between_2608n_and_2707n: "pm", "2608N", "side 2608N/2707N river";
    pm_2707n_river_between_2608n_and_2707n: "pm", "2707N", "side 2608N/2707N river";
    pmd_1920_minsk: "pmd", "1920", "place Minsk";
    pmd_2050_sevastopol: "pmd", "2050", "place Sevastopol";
    pmd_4120_moscow: "pmd", "4120", "place Moscow";
    pmd_4219_moscow: "pmd", "4219", "place Moscow";
    pmd_3304_leningrad: "pmd", "3304", "place Leningrad";
    pmd_3203_oranienbaum: "pmd", "3203", "place Oranienbaum";
    pmd_3403_hex_next_to_leningrad: "pmd", "3403", "zone fort-leningrad";
    pmd_3303_finnish_front_karelian_isthmus: "pmd", "3303", "zone finnish-front";
    pmd_3402_finnish_front_karelian_isthmus: "pmd", "3402", "zone finnish-front";
    pmd_3803_finnish_front_svir_line: "pmd", "3803", "zone finnish-front";
    pmd_3904_finnish_front_svir_line: "pmd", "3904", "zone finnish-front";
    pmd_4003_finnish_front_svir_line: "pmd", "4003", "zone finnish-front";
    pmd_4104_finnish_front_svir_line: "pmd", "4104", "zone finnish-front";
    pmd_4203_finnish_front_svir_line: "pmd", "4203", "zone finnish-front";
    pmd_4304_finnish_front_svir_line: "pmd", "4304", "zone finnish-front";
    pmd_0633_romania_zomo_north_end_of_soviet_held_stretch_april_1944: "pmd", "0633", "zone romania-1944";
    pmd_0938_romania_zomo_south_end_of_soviet_held_stretch_april_1944: "pmd", "0938", "zone romania-1944";
    pmd_2347_perekop_sivash_south_side: "pmd", "2347", "side 2347/2446 strait";
    pmd_2446_sivash_north_side: "pmd", "2446", "side 2347/2446 strait";
    pmd_2850_kerch_strait_crimean_side: "pmd", "2850", "side 2850/2951 strait";
    pmd_2950_kerch_strait_crimean_side: "pmd", "2950", "side 2950/2951 strait";
    pmd_2951_kerch_strait_taman_side: "pmd", "2951", "side 2850/2951 strait";
    pmd_3456_tuapse: "pmd", "3456", "place Tuapse";
    pmd_3860_sukhumi: "pmd", "3860", "place Sukhumi";
    pmd_4062_samtredia: "pmd", "4062", "place Samtredia";
    pmd_4665_tbilisi: "pmd", "4665", "place Tbilisi";
    pmd_0327_przemysl: "pmd", "0327", "place Przemysl";
    pmd_0922_brest_litovsk: "pmd", "0922", "place Brest-Litovsk";
    pmd_2904_luga_line_northern_portion_west_end: "pmd", "2904", "zone fort-luga-north";
    pmd_3406_luga_line_northern_portion_east_end: "pmd", "3406", "zone fort-luga-north";
    pmd_3106_luga_line_southern_portion_north_end: "pmd", "3106", "zone fort-luga-south";
    pmd_3208_luga_line_southern_portion_south_end: "pmd", "3208", "zone fort-luga-south";
    pmd_4024_tula: "pmd", "4024", "zone fort-mozhaisk";
    pmd_1643_odessa: "pmd", "1643", "place Odessa";
    pmd_1808_riga: "pmd", "1808", "place Riga";
    pmd_2302_tallinn: "pmd", "2302", "place Tallinn";
    pmd_1128_stalin_line_from_cernauti_to_1128_north_end: "pmd", "1128", "zone stalin-line";
    pmd_2608_27th_army_boundary_marker: "pmd", "2608", "zone army-27";
    pmd_3616_rzhev: "pmd", "3616", "place Rzhev";
    pmd_3438_axis_side_of_the_1942_start_line: "pmd", "3438", "zone axis-1942";
    pmd_3537_axis_side_of_the_1942_start_line: "pmd", "3537", "zone axis-1942";
    lwe_4344_rostov: "lwe", "4344", "place Rostov";
    lwe_1715_grodno: "lwe", "1715", "place Grodno";
    lwe_1507_memel: "lwe", "1507", "place Memel";
    lwe_1209_konigsberg: "lwe", "1209", "place Konigsberg";
    lwe_4618_moscow: "lwe", "4618", "place Moscow";
    lwe_2141_odessa: "lwe", "2141", "place Odessa";
    lwe_2143_odessa: "lwe", "2143", "water";
    lwe_2548_sevastopol: "lwe", "2548", "place Sevastopol";
    lwe_3701_oranienbaum: "lwe", "3701", "place Oranienbaum";
    lwe_3339_dnepropetrovsk: "lwe", "3339", "place Dnepropetrovsk";
    lwe_3835_kharkov: "lwe", "3835", "place Kharkov";
    lwe_2529_kiev: "lwe", "2529", "place Kiev";
    lwe_3802_leningrad: "lwe", "3802", "place Leningrad";
    lwe_2418_minsk: "lwe", "2418", "place Minsk";
    lwe_4026_orel: "lwe", "4026", "place Orel";
    lwe_2306_riga: "lwe", "2306", "place Riga";
    lwe_3418_smolensk: "lwe", "3418", "place Smolensk";
    lwe_3941_stalino: "lwe", "3941", "place Stalino";
    lwe_4632_voronezh: "lwe", "4632", "place Voronezh";
    lwe_2844_sivash_north_shore: "lwe", "2844", "side 2844/2845 strait";
    lwe_2845_perekop_sivash_south_side: "lwe", "2845", "zone line-perekop";
    lwe_2944_sivash_north_east_shore: "lwe", "2944", "side 2845/2944 strait";
    lwe_2945_sivash: "lwe", "2945", "land";
    lwe_3448_kerch_strait_crimean_side: "lwe", "3448", "side 3448/3449 strait";
    lwe_3348_kerch_strait_crimean_side: "lwe", "3348", "side 3348/3449 strait";
    lwe_3449_kerch_strait_taman_side: "lwe", "3449", "side 3348/3449 strait";
    lwe_1007_north_west_corner: "lwe", "1007", "rimhex";
    lwe_4801_north_east_corner: "lwe", "4801", "rimhex";
    lwe_4853_south_east_corner: "lwe", "4853", "rimhex";
    lwe_1048_south_west_corner: "lwe", "1048", "rimhex";
    lwe_3752_south_edge_west_end_of_soviet_supply_sources: "lwe", "3752", "edge soviet-supply-south";
    lwe_1025_6th_army_area_west_edge_entry: "lwe", "1025", "zone army-6";
    lwe_1030_west_edge_entry_south_end: "lwe", "1030", "zone entry-west";
    lwe_1125_6th_army_area: "lwe", "1125", "zone army-6";
    lwe_1225_6th_army_area: "lwe", "1225", "zone army-6";
    lwe_1226_6th_army_area: "lwe", "1226", "zone army-6";
    lwe_1326_6th_army_area: "lwe", "1326", "zone army-6";
    lwe_1427_6th_army_area: "lwe", "1427", "zone army-6";
    lwe_1428_6th_army_area: "lwe", "1428", "zone army-6";
    lwe_2123_attack_example: "lwe", "2123", "touch 2123/2122 2123/2223";
    lwe_2122_attack_example: "lwe", "2122", "touch 2122/2123";
    lwe_2223_attack_example: "lwe", "2223", "touch 2223/2123";
    ls_2510_moscow: "ls", "2510", "place Moscow";
    ls_2320_tula: "ls", "2320", "place Tula";
    ls_0113_smolensk: "ls", "0113", "place Smolensk";
    ls_2219_german_attacker_next_to_tula: "ls", "2219", "touch 2219/2320";
    ls_1911_german_infantry_at_start_5_december_1941: "ls", "1911", "zone german-1941-12";
    ls_0101_north_west_corner: "ls", "0101", "edge soviet-winter";
    ls_0801_north_edge: "ls", "0801", "edge soviet-winter";
    ls_0901_north_edge_west_end_of_the_northern_end: "ls", "0901", "edge soviet-north";
    ls_2801_north_edge_east_end_of_the_northern_end: "ls", "2801", "edge soviet-north";
    ls_1635_south_edge_west_end_of_the_southern_end: "ls", "1635", "edge soviet-south";
    ls_3128_east_edge_top_of_the_southern_end: "ls", "3128", "edge soviet-south";
    ls_31xx_column_31_eastern_map_edge: "ls", "31xx", "rim 31";
    s42_2002_kastornoye: "s42", "2002", "place Kastornoye";
    s42_2013_valuyki: "s42", "2013", "place Valuyki";
    s42_2338_yeysk: "s42", "2338", "place Yeysk";
    s42_2839_starominskaya: "s42", "2839", "place Starominskaya";
    s42_1549_taman: "s42", "1549", "place Taman";
    s42_1949_temryuk: "s42", "1949", "place Temryuk";
    s42_2850_krasnodar: "s42", "2850", "place Krasnodar";
    s42_4549_voroshilovsk: "s42", "4549", "place Voroshilovsk";
    s42_3443_tikhoretsk: "s42", "3443", "place Tikhoretsk";
    s42_4860_mt_elbrus: "s42", "4860", "place Mount Elbrus";
    s42_5902_saratov: "s42", "5902", "place Saratov";
    s42_1521_izium_bend: "s42", "1521", "side 1420/1521 major-river";
    s42_6424_vladimirovka_ferry_south_west_landing: "s42", "6424", "link 6424/6523";
    s42_6523_vladimirovka_ferry_north_east_landing: "s42", "6523", "link 6424/6523";
    s42_5622_volga_south_limit_of_the_flotilla_crossing: "s42", "5622", "zone flotilla";
    s42_2403_west_bank_of_the_don_at_voronezh: "s42", "2403", "side 2403/2503 major-river";
    s42_3327_hex_with_several_railroads: "s42", "3327", "line railroad";
    s42_3806_6th_reserve_army_at_start_novokhopersk: "s42", "3806", "place Novokhopersk";
    s42_4100_east_edge_of_map_a_north_end_of_entry_area_m: "s42", "4100", "zone entry-m";
    s42_4111_east_edge_of_map_a_south_end_of_entry_area_m: "s42", "4111", "zone entry-m";
    s42_3139_imaginary_hex_north_of_3140: "s42", "3139", "land";
    s42_3140_north_edge_of_the_caucasus_maps_rail_to_rostov: "s42", "3140", "line railroad";
    s42_2740_north_edge_of_the_caucasus_maps: "s42", "2740", "zone caucasus-entry-first";
    s42_4240_north_edge_of_the_caucasus_maps: "s42", "4240", "zone caucasus-entry-first";
    s42_2140_north_edge_of_the_caucasus_maps: "s42", "2140", "zone caucasus-entry";
    s42_4740_north_edge_of_the_caucasus_maps: "s42", "4740", "zone caucasus-entry";
    s42_4440_north_edge_of_the_caucasus_maps: "s42", "4440", "zone caucasus-entry";
    s42_xx31_row_31: "s42", "xx31", "row 31";
    s42_xx40_row_40_northern_row_of_the_caucasus_maps: "s42", "xx40", "row 40";
    s42_xx43_row_43_southern_row_of_the_two_north_maps: "s42", "xx43", "row 43";
    s42_1003_kursk: "s42", "1003", "place Kursk";
    s42_2503_voronezh: "s42", "2503", "place Voronezh";
    s42_2029_stalino: "s42", "2029", "place Stalino";
    s42_3134_rostov: "s42", "3134", "place Rostov";
    s42_3139_kushchevskaya: "s42", "3139", "place Kushchevskaya";
    s42_1824_kramatorsk: "s42", "1824", "place Kramatorsk";
    s42_6523_vladimirovka: "s42", "6523", "place Vladimirovka";
}
